"""When the first mail can come, in a sentence."""

from datetime import UTC, date, datetime, time

import pytest

from accounts.person import Person
from accounts.terms import DeliveryTerms
from deliveries.messages.first_mail import first_mail

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
LATER = datetime(2026, 11, 27, 9, tzinfo=UTC)
OFTEN = "New posts are looked at about every 15 minutes"
IF_ANY = "(Europe/Berlin), if anything fits by then."


def somebody(suppressed=False, last=None, **terms):
    return Person(
        user_id="x",
        email="ana@example.com",
        is_active=True,
        suppressed=suppressed,
        terms=DeliveryTerms(timezone="Europe/Berlin", **terms),
        last_digest_on=last,
        opt_out_token="t",
        joined_at=NOW,
    )


@pytest.mark.parametrize(
    ("person", "sentence"),
    [
        (somebody(), f"{OFTEN}: the first mail comes as soon as one fits."),
        (
            somebody(quiet_from=time(12), quiet_until=time(14, 30)),
            f"{OFTEN}; what fits comes when your quiet hours end at 14:30.",
        ),
        (
            somebody(quiet_from=time(22), quiet_until=time(7)),
            f"{OFTEN}: the first mail comes as soon as one fits.",
        ),
        (
            somebody(mode="daily", digest_hour=18),
            f"The first digest can come on Wed 25 Nov, 18:00 {IF_ANY}",
        ),
        (
            somebody(mode="daily", digest_hour=8, last=date(2026, 11, 25)),
            f"The first digest can come on Thu 26 Nov, 08:00 {IF_ANY}",
        ),
        (
            somebody(paused_until=LATER, mode="daily"),
            "Mail is paused: none comes before Fri 27 Nov, 10:00.",
        ),
        (
            somebody(suppressed=True),
            "But job mail to you is stopped, so none comes until it is allowed again.",
        ),
    ],
)
def test_what_keeps_mail_away_or_when_it_can_come(person, sentence):
    assert first_mail(person, NOW) == sentence

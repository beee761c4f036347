"""What every tick tidies."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Preferences, Suppression, User
from deliveries import ledger
from deliveries.ledger import Swept
from deliveries.ledger.sweep import sender_is_gone_after
from deliveries.models import Delivery, Mail
from tests.deliveries.ledger.tables import (
    DAY,
    HOUR,
    MINUTE,
    alert_id,
    digest_id,
    mail,
    mails,
    queue,
    row,
    rows,
)
from tests.factories import NOON, person
from tests.threads import together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)
SECOND = timedelta(seconds=1)
EARLY = -72 * HOUR


def sweep(later: timedelta = timedelta()) -> Swept:
    return ledger.sweep(now=NOON + later, fresh=DAY)


def opt_out(user: User) -> None:
    Suppression.objects.create(user=user, reason="opted_out")


def claimed(user: User) -> tuple[str, str]:
    """An alert that may be leaving: its envelope and its row."""
    [id_] = queue(user, 80)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    return alert_id(id_), id_


def frozen(user: User, **values: Any) -> tuple[str, str]:
    """A digest of noon that waits to be sent: its envelope and its row."""
    [id_] = queue(user, 80, route="daily", **values)
    ledger.freeze(user.pk, now=NOON)
    return digest_id(user), id_


def test_at_rest_nothing_changes():
    user = person()
    claimed(user)
    frozen(user)
    queue(user, 80)
    before = rows(), mails()
    assert sweep() == Swept()
    assert (rows(), mails()) == before


# Alerts whose sender is gone


def test_an_alert_whose_sender_is_gone_is_unconfirmed():
    envelope, id_ = claimed(person())
    assert sweep(sender_is_gone_after()) == Swept()
    assert sweep(sender_is_gone_after() + SECOND) == Swept(unconfirmed=1)
    assert rows() == [row(id_, "unconfirmed", mail=envelope)]
    assert mails() == [mail(envelope, "alert", "unconfirmed", attempts=1)]
    assert sweep(DAY) == Swept()


def test_the_longest_send_follows_the_time_limit(settings):
    settings.EMAIL_TIMEOUT = 300
    assert sender_is_gone_after() == timedelta(seconds=690)


def test_a_slow_sender_can_still_say_that_it_left():
    envelope, id_ = claimed(person())
    sweep(HOUR)
    now = NOON + HOUR
    assert ledger.finish(envelope, "sent", now=now, expected=["sending", "unconfirmed"]) == 1
    assert rows() == [row(id_, "sent", mail=envelope, sent_at=now)]
    assert mails() == [mail(envelope, "alert", "sent", attempts=1)]


def test_a_slow_sender_can_no_more_bring_its_rows_back():
    envelope, id_ = claimed(person())
    sweep(HOUR)
    assert ledger.finish(envelope, "void", now=NOON + HOUR) == 0
    assert rows() == [row(id_, "unconfirmed", mail=envelope)]


# Digests that were tried for a day


def test_a_digest_that_certainly_never_left_gives_its_rows_back():
    envelope, id_ = frozen(person())
    assert sweep(DAY) == Swept()
    assert sweep(DAY + SECOND) == Swept()
    assert rows() == [row(id_, "queued", "daily", attempts=1)]
    assert mails() == [mail(envelope, "digest", "void")]


def test_a_digest_that_may_have_left_is_unconfirmed():
    envelope, id_ = frozen(person())
    ledger.begin(envelope, now=NOON)  # and the process is killed
    assert sweep(DAY + SECOND) == Swept(unconfirmed=1)
    assert rows() == [row(id_, "unconfirmed", "daily", mail=envelope)]
    assert mails() == [mail(envelope, "digest", "unconfirmed", doubtful=True)]


# Opting out


@pytest.mark.parametrize(
    "how", [opt_out, lambda u: User.objects.filter(pk=u.pk).update(is_active=False)]
)
def test_an_opt_out_ends_what_waits_and_nothing_else(how):
    user, other = person(), person("other@example.com")
    envelope, sealed = frozen(user)
    [instant], [daily] = queue(user, 80), queue(user, 80, route="daily")
    [theirs] = queue(other, 80)
    how(user)
    assert sweep() == Swept(expired=3)
    assert sorted(rows()) == sorted(
        [
            row(sealed, "expired", "daily", reason="opted out", attempts=1),
            row(instant, "expired", reason="opted out"),
            row(daily, "expired", "daily", reason="opted out"),
            row(theirs, "queued"),
        ]
    )
    assert mails() == [mail(envelope, "digest", "void")]


def test_a_doubtful_digest_of_a_user_who_opted_out_is_unconfirmed():
    user = person()
    envelope, id_ = frozen(user)
    ledger.begin(envelope, now=NOON)
    opt_out(user)
    assert sweep() == Swept(unconfirmed=1)
    assert rows() == [row(id_, "unconfirmed", "daily", mail=envelope)]


# Rows nobody will mail


@pytest.mark.parametrize(
    ("quiet", "lives"),
    [
        ((None, None), DAY),
        (("22:00", "07:00"), DAY + 9 * HOUR),
        (("12:00", "14:30"), DAY + 2.5 * HOUR),
        (("00:00", "23:59"), 2 * DAY - MINUTE),
    ],
)
def test_an_alert_goes_stale_after_a_day_and_the_quiet_hours(quiet, lives):
    user = person()
    Preferences.objects.filter(pk=user.pk).update(quiet_from=quiet[0], quiet_until=quiet[1])
    [id_] = queue(user, 80, first_seen=NOON)
    assert sweep(lives) == Swept()
    assert rows() == [row(id_, "queued")]
    assert sweep(lives + SECOND) == Swept(expired=1)
    assert rows() == [row(id_, "expired", reason="stale")]


def test_a_daily_row_lives_two_days_however_old_its_job_is():
    [id_] = queue(person(), 80, route="daily", first_seen=NOON + EARLY)
    assert sweep(2 * DAY) == Swept()
    assert sweep(2 * DAY + SECOND) == Swept(expired=1)
    assert rows() == [row(id_, "expired", "daily", reason="stale")]


def test_a_row_that_found_no_place_in_a_digest_was_over_the_cap():
    user = person(max_jobs_per_day=1)
    best, worst = queue(user, 90, 80, route="daily")
    ledger.freeze(user.pk, now=NOON)
    ledger.finish(digest_id(user), "sent", now=NOON, expected=["sealed"])
    assert sweep(2 * DAY + SECOND) == Swept(expired=1)
    assert rows() == [
        row(best, "sent", "daily", mail=digest_id(user), sent_at=NOON),
        row(worst, "expired", "daily", reason="over the cap"),
    ]


def test_a_row_that_alerts_left_no_place_for_was_over_the_cap():
    user = person(max_jobs_per_day=1)
    best, worst = queue(user, 90, 80)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    ledger.finish(alert_id(best), "sent", now=NOON)
    assert sweep(2 * DAY + SECOND) == Swept(expired=1)
    assert row(worst, "expired", "daily", reason="over the cap") in rows()


def test_a_row_queued_after_the_digest_was_not_over_the_cap():
    user = person()
    frozen(user)
    ledger.finish(digest_id(user), "sent", now=NOON, expected=["sealed"])
    [late] = queue(user, 80, route="daily", queued_at=NOON + MINUTE)
    sweep(2 * DAY + HOUR)
    assert rows()[1] == row(late, "expired", "daily", reason="stale")


def test_a_digest_that_never_left_crowds_nobody_out():
    user = person()
    _, id_ = frozen(user)
    sweep(DAY + SECOND)
    assert sweep(2 * DAY + SECOND) == Swept(expired=1)
    assert rows() == [row(id_, "expired", "daily", reason="stale", attempts=1)]


# Side by side


@side_by_side
def test_a_digest_in_somebodys_hands_is_left_to_them():
    envelope, id_ = frozen(person())
    with transaction.atomic():
        Mail.objects.select_for_update(no_key=True).get(pk=envelope)
        assert together(partial(sweep, DAY + SECOND)) == [Swept()]
    assert rows() == [row(id_, "sealed", "daily", mail=envelope)]


@side_by_side
def test_rows_in_somebodys_hands_are_left_to_them_and_nobody_waits():
    user = person()
    held, free = queue(user, 80, 80)
    daily_held, daily_free = queue(user, 80, 80, route="daily")
    with transaction.atomic():
        list(Delivery.objects.select_for_update().filter(pk__in=[held, daily_held]))
        assert together(partial(sweep, 3 * DAY)) == [Swept(expired=2)]
    statuses = {r[0]: r[1] for r in rows()}
    assert [statuses[id_] for id_ in (held, daily_held)] == ["queued"] * 2
    assert [statuses[id_] for id_ in (free, daily_free)] == ["expired"] * 2


@side_by_side
def test_sweeps_side_by_side_settle_each_row_once():
    users = [person(f"user{n}@example.com") for n in range(6)]
    for user in users:
        claimed(user)
        queue(user, 70)
        queue(user, 70, route="daily")
    answers = together(*[partial(sweep, 3 * DAY)] * 3)
    assert sum(answers, Swept()) == Swept(unconfirmed=6, expired=12)


@side_by_side
def test_a_sweep_waits_for_no_sender_and_leaves_its_word():
    envelope, id_ = claimed(person())
    sent_at: datetime = NOON + HOUR
    sent = partial(ledger.finish, envelope, "sent", now=sent_at)
    with transaction.atomic():
        sent()
        assert together(partial(sweep, HOUR)) == [Swept()]
    assert rows() == [row(id_, "sent", mail=envelope, sent_at=sent_at)]

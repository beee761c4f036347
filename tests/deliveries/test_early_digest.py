"""A digest before its hour: when the next one is due, and that nobody is mailed twice."""

from datetime import UTC, date, datetime

import pytest

from accounts.models import Preferences
from accounts.terms import DeliveryTerms
from deliveries import ledger, routing
from deliveries.digest import digest
from deliveries.early_digest import send_now
from deliveries.models import Delivery, Mail
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.factories import JobFactory, person, queued
from tests.threads import together


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "last", "paused", "due"),
    [
        ("2026-11-25 06:00", None, None, "2026-11-25 07:00"),
        ("2026-11-25 07:00", None, None, "2026-11-25 07:00"),
        ("2026-11-25 15:00", None, None, "2026-11-25 15:00"),
        ("2026-11-25 15:00", date(2026, 11, 25), None, "2026-11-26 07:00"),
        ("2026-11-25 06:00", date(2026, 11, 25), None, "2026-11-26 07:00"),
        ("2026-11-25 06:00", date(2026, 11, 24), None, "2026-11-25 07:00"),
        ("2026-11-25 06:00", None, "2026-11-27 06:00", "2026-11-27 07:00"),
        ("2026-11-25 06:00", None, "2026-11-27 12:30", "2026-11-27 12:30"),
        ("2026-11-25 23:30", date(2026, 11, 25), None, "2026-11-26 07:00"),
        ("2026-11-25 06:00", date(2026, 11, 27), None, "2026-11-28 07:00"),
        ("2026-11-25 06:00", date(2027, 11, 27), None, "2026-11-25 07:00"),
    ],
)
def test_when_the_next_digest_is_due(now, last, paused, due):
    until = utc(paused) if paused else None
    terms = DeliveryTerms(timezone="Europe/Berlin", digest_hour=8, paused_until=until)
    found = routing.next_digest(terms, utc(now), last)
    assert found == utc(due)
    begin = max(found, utc(now))
    assert routing.digest_day(terms, begin, last) is not None


@pytest.mark.django_db(transaction=True)
def test_with_nothing_to_send_the_date_stays_open():
    user = person(mode="daily")
    assert ledger.freeze_early(user.pk, now=Clock().now()) is None
    assert Preferences.objects.get().last_digest_on is None


@pytest.mark.django_db(transaction=True)
def test_a_digest_a_tick_and_two_presses_at_once_mail_once(smtp):
    user = person(mode="daily", digest_hour=0)
    for score in (90, 80):
        queued(user, JobFactory(), score, route="daily")
    together(
        lambda: send_now(user.pk, Clock()),
        lambda: digest(Clock(), Wall(60)),
        lambda: send_now(user.pk, Clock()),
    )
    assert len(smtp.accepted) == 1
    assert (Mail.objects.get().status, Mail.objects.get().attempts) == ("sent", 1)
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}

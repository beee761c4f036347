"""When a weekly note may be sent, and until when a pause lasts: tables and laws."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from accounts.terms import DeliveryTerms
from deliveries import routing
from tests.deliveries.test_routing import HOURS, ODD_ZONES, ZONES, at

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def week(now, *, since=LONG_AGO, **terms):
    wanting = DeliveryTerms(**{"weekly_note": True, **terms})
    return routing.week_of_note(wanting, now, since=since)


@pytest.mark.parametrize(
    ("now", "zone", "hour", "monday"),
    [
        ("2026-11-30 07:59", "UTC", 8, None),
        ("2026-11-30 08:00", "UTC", 8, date(2026, 11, 30)),
        ("2026-12-01 07:59", "UTC", 8, date(2026, 11, 30)),
        ("2026-12-01 08:00", "UTC", 8, None),
        ("2026-11-29 08:00", "UTC", 8, None),
        ("2026-11-30 07:00", "Europe/Berlin", 8, date(2026, 11, 30)),
        ("2026-11-29 17:00", "Asia/Tokyo", 2, date(2026, 11, 30)),
        ("2026-12-01 06:00", "America/New_York", 23, date(2026, 11, 30)),
        ("2027-01-04 08:00", "UTC", 8, date(2027, 1, 4)),
    ],
)
def test_the_week_whose_note_may_be_sent(now, zone, hour, monday):
    assert week(at(now), timezone=zone, digest_hour=hour) == monday


@pytest.mark.parametrize(
    ("terms", "monday"),
    [
        ({"weekly_note": False}, None),
        ({"paused_until": at("2026-11-30 08:01")}, None),
        ({"paused_until": at("2026-11-30 08:00")}, date(2026, 11, 30)),
        ({"since": at("2026-11-23 08:00")}, date(2026, 11, 30)),
        ({"since": at("2026-11-23 08:01")}, None),
    ],
)
def test_only_who_wants_it_is_there_for_a_week_and_has_not_paused(terms, monday):
    assert week(at("2026-11-30 08:00"), **terms) == monday


@given(ZONES, HOURS, st.integers(0, 51))
@example("Europe/Berlin", 2, 12)
@settings(max_examples=25)
def test_ticking_hourly_brings_up_every_week_once_at_its_local_hour(zone, hour, first):
    _tick_through(zone, hour, at("2026-01-01 00:30") + first * timedelta(days=7), 9)


@pytest.mark.parametrize("zone", ODD_ZONES)
def test_ticking_hourly_through_a_year_brings_up_every_week_once(zone):
    _tick_through(zone, 0, at("2026-01-01 00:30"), 53)


def _tick_through(zone, hour, start, weeks):
    """Each ISO week that is wholly inside comes up once, within an hour of when it should."""
    local, firsts = ZoneInfo(zone), {}
    for tick in range(weeks * 7 * 24):
        now = start + tick * HOUR
        monday = week(now, timezone=zone, digest_hour=hour)
        if monday is not None:
            firsts.setdefault(monday, now)
    mondays = sorted(firsts)
    apart = {later - earlier for earlier, later in pairwise(mondays)}
    assert apart == {timedelta(days=7)}
    assert len(mondays) in (weeks, weeks + 1)
    for monday in mondays[1:]:
        first = firsts[monday].astimezone(local)
        assert first.date() == monday
        assert first.hour in (hour, hour + 1, hour + 2)
        assert first.isocalendar().weekday == 1


@given(ZONES, HOURS, st.datetimes(datetime(2025, 1, 1), datetime(2030, 1, 1)))
def test_the_next_note_is_at_most_a_week_off(zone, hour, moment):
    terms, now = DeliveryTerms(timezone=zone, digest_hour=hour, weekly_note=True), at(str(moment))
    found = routing.next_note(terms, now, since=LONG_AGO)
    assert now <= found <= now + timedelta(days=7, hours=3)
    assert routing.week_of_note(terms, found, since=LONG_AGO) is not None


def test_the_next_note_of_a_newcomer_waits_for_a_whole_week():
    terms, monday = DeliveryTerms(digest_hour=8, weekly_note=True), at("2026-11-30 03:00")
    assert routing.next_note(terms, monday, since=LONG_AGO) == at("2026-11-30 08:00")
    assert routing.next_note(terms, monday, since=at("2026-11-30 02:00")) == at("2026-12-07 08:00")
    assert routing.next_note(terms, monday, since=at("2026-11-30 09:00")) == at("2026-12-14 08:00")


@pytest.mark.parametrize(
    ("now", "zone", "tomorrow", "in_a_week"),
    [
        ("2026-11-25 12:00:30", "UTC", "2026-11-26 08:00", "2026-12-02 12:00"),
        ("2026-11-25 23:30", "Europe/Berlin", "2026-11-27 07:00", "2026-12-02 23:30"),
        ("2026-03-28 12:00", "Europe/Berlin", "2026-03-29 06:00", "2026-04-04 11:00"),
    ],
)
def test_until_when_a_pause_lasts(now, zone, tomorrow, in_a_week):
    terms = DeliveryTerms(timezone=zone)
    assert routing.tomorrow_morning(terms, at(now)) == at(tomorrow)
    assert routing.in_a_week(terms, at(now)) == at(in_a_week)

"""When mail may leave, and how much: tables and laws."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.terms import DeliveryTerms
from deliveries import routing

NIGHT = {"quiet_from": time(22), "quiet_until": time(7)}
ZONES = st.sampled_from(sorted(available_timezones()))
ODD_ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # half an hour of summer
    "America/Nuuk",  # the clock jumps from 22:59 to 0:00
    "Africa/Cairo",  # and here from 23:59 to 1:00
    "America/Havana",  # midnight comes twice
    "Antarctica/Troll",  # two hours of summer
    "Pacific/Pago_Pago",
]
HOURS = st.integers(0, 23)
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
QUARTER = timedelta(minutes=15)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def terms(zone: str = "UTC", **values: Any) -> DeliveryTerms:
    return DeliveryTerms(timezone=zone, **values)


@pytest.mark.parametrize(
    ("zone", "now", "quiet"),
    [
        ("UTC", "2026-11-25 21:59:59", False),
        ("UTC", "2026-11-25 22:00", True),
        ("UTC", "2026-11-26 00:00", True),
        ("UTC", "2026-11-26 06:59:59", True),
        ("UTC", "2026-11-26 07:00", False),
        ("Pacific/Kiritimati", "2026-11-25 08:00", True),
        ("Pacific/Kiritimati", "2026-11-25 17:00", False),
        ("Asia/Kathmandu", "2026-11-25 16:14", False),
        ("Asia/Kathmandu", "2026-11-25 16:15", True),
        ("Europe/Berlin", "2026-03-28 21:00", True),  # winter time until the night's jump
        ("Europe/Berlin", "2026-03-29 05:00", False),  # an hour earlier than the day before
        ("Europe/Berlin", "2026-10-25 05:30", True),
        ("Europe/Berlin", "2026-10-25 06:00", False),
    ],
)
def test_quiet_hours_across_midnight(zone, now, quiet):
    assert routing.is_quiet(terms(zone, **NIGHT), at(now)) is quiet


@pytest.mark.parametrize(("hour", "quiet"), [(11, False), (12, True), (13, True), (14, False)])
def test_quiet_hours_within_a_day(hour, quiet):
    lunch = terms(quiet_from=time(12), quiet_until=time(14))
    assert routing.is_quiet(lunch, at(f"2026-11-25 {hour}:00")) is quiet


def test_without_quiet_hours_nothing_is_quiet():
    assert not routing.is_quiet(terms(), at("2026-11-25 03:00"))
    assert routing.quiet_span(terms()) == timedelta()


@given(st.times(), st.times())
def test_the_quiet_span_is_how_long_it_is_quiet_in_a_day_without_a_jump(start, end):
    start, end = start.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
    quiet = terms(quiet_from=start, quiet_until=end)
    midnight = at("2026-11-25 00:00")
    minutes = sum(routing.is_quiet(quiet, midnight + timedelta(minutes=n)) for n in range(1440))
    if start != end:  # which the database refuses
        assert routing.quiet_span(quiet) == timedelta(minutes=minutes)


@given(ZONES, st.times(), st.times(), MOMENTS)
def test_whatever_was_fresh_when_it_became_quiet_is_in_the_horizon_afterwards(
    zone, start, end, now
):
    quiet = terms(zone, quiet_from=start, quiet_until=end)
    local = now.astimezone(ZoneInfo(zone))
    if start == end or local.utcoffset() != (local - timedelta(days=2)).utcoffset():
        return
    until = local.replace(hour=end.hour, minute=end.minute, second=end.second, tzinfo=None)
    ends = until.replace(microsecond=end.microsecond, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    dated = ends - routing.quiet_span(quiet) - timedelta(hours=24)
    assert routing.alert_horizon(quiet, ends, timedelta(hours=24)) <= dated


@pytest.mark.parametrize(
    ("zone", "now", "start"),
    [
        ("UTC", "2026-11-25 12:00", "2026-11-25 00:00"),
        ("Pacific/Kiritimati", "2026-11-25 12:00", "2026-11-25 10:00"),
        ("Asia/Kathmandu", "2026-11-25 18:14", "2026-11-24 18:15"),
        ("Asia/Kathmandu", "2026-11-25 18:15", "2026-11-25 18:15"),
        ("Europe/Berlin", "2026-03-29 12:00", "2026-03-28 23:00"),
        ("Europe/Berlin", "2026-10-25 12:00", "2026-10-24 22:00"),
        ("Africa/Cairo", "2026-04-24 12:00", "2026-04-23 22:00"),  # there is no midnight
        ("America/Havana", "2026-11-01 12:00", "2026-11-01 04:00"),  # the first of two
    ],
)
def test_where_a_local_day_begins(zone, now, start):
    assert routing.day_start(terms(zone), at(now)) == at(start)


@given(ZONES, MOMENTS)
def test_a_day_began_before_now_and_not_long_ago(zone, now):
    start = routing.day_start(terms(zone), now)
    assert start <= now < start + timedelta(hours=26)
    assert start.astimezone(ZoneInfo(zone)).date() == now.astimezone(ZoneInfo(zone)).date()


@pytest.mark.parametrize(
    ("paused_until", "quiet", "flow"),
    [
        (None, {}, True),
        ("2026-11-25 12:00:01", {}, False),
        ("2026-11-25 12:00", {}, True),
        (None, {"quiet_from": time(11), "quiet_until": time(13)}, False),
    ],
)
def test_alerts_flow(paused_until, quiet, flow):
    until = paused_until and at(paused_until)
    assert routing.alerts_flow(terms(paused_until=until, **quiet), at("2026-11-25 12:00")) is flow


@pytest.mark.parametrize(
    ("cap", "mailed", "alerts", "digest"),
    [(30, 0, 30, 20), (30, 15, 15, 15), (5, 5, 0, 0), (5, 9, 0, 0)],
)
def test_the_days_cap(cap, mailed, alerts, digest):
    capped = terms(max_jobs_per_day=cap)
    assert routing.allowance(capped, mailed) == alerts
    assert routing.digest_size(capped, mailed) == digest


TODAY, BEFORE, AFTER = date(2026, 11, 25), date(2026, 11, 24), date(2026, 11, 26)


@pytest.mark.parametrize(
    ("now", "last", "day"),
    [
        ("07:59:59", None, None),
        ("08:00", None, TODAY),
        ("23:59", None, TODAY),
        ("08:00", BEFORE, TODAY),
        ("08:00", TODAY, None),
        ("08:00", AFTER, None),  # the user has moved west
        ("08:00", date(2027, 11, 25), TODAY),  # a clock was a year ahead once
    ],
)
def test_the_day_whose_digest_is_due(now, last, day):
    assert routing.digest_day(terms(), at(f"2026-11-25 {now}"), last) == day


def test_no_digest_while_paused():
    paused = terms(paused_until=at("2026-11-25 09:00"))
    assert routing.digest_day(paused, at("2026-11-25 08:30"), None) is None
    assert routing.digest_day(paused, at("2026-11-25 09:00"), None) == TODAY


@pytest.mark.parametrize(
    ("zone", "hour", "first"),
    [
        ("Pacific/Kiritimati", 8, "2026-11-24 18:00"),  # the 25th, there
        ("Asia/Kathmandu", 8, "2026-11-25 02:15"),
        ("Pacific/Pago_Pago", 8, "2026-11-25 19:00"),
    ],
)
def test_the_local_hour(zone, hour, first):
    mine = terms(zone, digest_hour=hour)
    assert routing.digest_day(mine, at(first), BEFORE) == TODAY
    assert routing.digest_day(mine, at(first) - timedelta(seconds=1), BEFORE) is None


@pytest.mark.parametrize(
    ("zone", "hour", "first", "day"),
    [
        ("Europe/Berlin", 2, "2026-03-29 01:00", date(2026, 3, 29)),  # 2:00 does not come: 3:00
        ("Europe/Berlin", 2, "2026-10-25 00:00", date(2026, 10, 25)),  # comes twice: the first
        ("America/Nuuk", 23, "2026-03-29 00:00", date(2026, 3, 28)),  # the 28th ends at 22:59
    ],
)
def test_the_local_hour_when_the_clock_jumps(zone, hour, first, day):
    mine, before = terms(zone, digest_hour=hour), day - timedelta(days=1)
    assert routing.digest_day(mine, at(first), before) == day
    assert routing.digest_day(mine, at(first) - timedelta(seconds=1), before) is None


def ticks(mine: DeliveryTerms, start: datetime, days: int) -> list[tuple[datetime, date]]:
    """What comes up when asked every quarter of an hour, and when."""
    found, last = [], None
    for n in range(days * 96):
        now = start + n * QUARTER
        if (day := routing.digest_day(mine, now, last)) is not None:
            found.append((now, day))
            last = day
    return found


def check_every_date_comes_up_once(zone: str, hour: int, start: datetime, days: int) -> None:
    found = [day for _, day in ticks(terms(zone, digest_hour=hour), start, days)]
    wanted = [found[0] + timedelta(days=n) for n in range(len(found))]
    assert found == wanted
    assert len(found) >= days - 1


@given(ZONES, HOURS, MOMENTS)
@example("America/Nuuk", 23, at("2027-03-26 00:07"))
@example("Africa/Cairo", 0, at("2026-04-22 00:07"))
@example("America/Havana", 0, at("2026-10-30 00:07"))
def test_ticking_brings_up_every_local_date_once(zone, hour, start):
    check_every_date_comes_up_once(zone, hour, start, 5)


@pytest.mark.parametrize("zone", ODD_ZONES)
@pytest.mark.parametrize("hour", [0, 2, 23])
@pytest.mark.parametrize("start", ["2026-03-01 00:00", "2026-10-01 00:00"])
def test_ticking_through_every_change_of_clocks(zone, hour, start):
    check_every_date_comes_up_once(zone, hour, at(start), 62)


@given(ZONES, ZONES, HOURS, MOMENTS)
def test_moving_to_another_zone_never_brings_a_date_up_again(zone, other, hour, start):
    first = ticks(terms(zone, digest_hour=hour), start, 2)
    now, last = first[-1]
    days = [day for _, day in first]
    for n in range(4 * 96):
        day = routing.digest_day(terms(other, digest_hour=hour), now + n * QUARTER, last)
        if day is not None:
            days.append(last := day)
    assert sorted(set(days)) == days


@pytest.mark.parametrize(
    ("attempts", "retry_after", "minutes"),
    [
        (0, None, 15),
        (1, None, 15),
        (2, None, 60),
        (3, None, 240),
        (9, None, 240),
        (1, 60.0, 15),
        (1, 1800.0, 30),
        (1, 9e9, 720),
        (1, -5.0, 15),
    ],
)
def test_how_long_a_digest_waits(attempts, retry_after, minutes):
    assert routing.retry_delay(attempts, retry_after) == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("now", "last", "due"),
    [
        ("2026-11-26T00:30", "2026-11-24", "2026-11-25"),  # 23:00 was missed, midnight passed
        ("2026-11-26T01:59", "2026-11-24", "2026-11-25"),
        ("2026-11-26T02:00", "2026-11-24", None),  # too late: it waits for tonight
        ("2026-11-26T00:30", "2026-11-25", None),
        ("2026-11-26T00:30", None, None),  # a new user has missed nothing
        ("2026-11-26T23:00", "2026-11-24", "2026-11-26"),
    ],
)
def test_a_late_hour_that_was_missed_comes_up_after_midnight(now, last, due):
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    before = date.fromisoformat(last) if last else None
    found = routing.digest_day(DeliveryTerms(digest_hour=23), moment, before)
    assert found == (date.fromisoformat(due) if due else None)


@pytest.mark.parametrize(
    ("zone", "now", "hour", "day"),
    [
        ("UTC", "2026-11-25T08:00", 8, "2026-11-25"),
        ("UTC", "2026-11-25T07:59", 8, "2026-11-24"),
        ("UTC", "2026-11-26T00:30", 23, "2026-11-25"),
        ("Pacific/Auckland", "2026-11-25T12:00", 1, "2026-11-26"),
        ("Pacific/Auckland", "2026-11-25T12:00", 2, "2026-11-25"),
        ("America/New_York", "2026-11-25T04:00", 23, "2026-11-24"),
    ],
)
def test_the_latest_date_whose_hour_has_come(zone, now, hour, day):
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    terms = DeliveryTerms(timezone=zone, digest_hour=hour)
    found = routing.last_digest_moment(terms, moment)
    assert found == date.fromisoformat(day)
    assert routing.digest_day(terms, moment, found) is None

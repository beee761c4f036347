"""The decisions about a source: quiet or in trouble, and when it is asked again."""

from datetime import UTC, datetime, timedelta

import pytest

from jobs.source_health import FOR_THE_OPERATOR, HEALTHY, STATES, Health, after, is_due

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_trouble_is_asked_again_after_doubling_waits_of_at_most_six_hours():
    health, waits = Health(since=NOON), []
    for _ in range(8):
        health = after(health, "blocked", now=NOON, new=0)
        waits.append(round((health.next_look_at - NOON) / timedelta(minutes=15)))
    assert waits == [1, 2, 4, 8, 16, 24, 24, 24]
    assert (health.state, health.failures, health.succeeded_at) == ("blocked", 8, None)


def test_a_tick_that_comes_a_moment_early_is_not_lost():
    health = after(Health(since=NOON), "broken", now=NOON, new=0)
    assert not is_due(health.next_look_at, now=NOON + timedelta(minutes=13))
    assert is_due(health.next_look_at, now=NOON + timedelta(minutes=14, seconds=30))


@pytest.mark.parametrize(
    ("asked", "waited"),
    [(1, HOUR / 4), (7200, 2 * HOUR), (90_000, 24 * HOUR), (1e300, 24 * HOUR), (-5, HOUR / 4)],
)
def test_what_a_source_asks_for_counts_when_it_is_longer(asked, waited):
    health = after(Health(since=NOON), "throttled", now=NOON, new=0, retry_after=asked)
    assert abs(health.next_look_at - NOON - waited) <= timedelta(minutes=1)


@pytest.mark.parametrize("state", [state for state in STATES if state not in HEALTHY])
def test_success_forgets_every_trouble(state):
    ill = after(Health(since=NOON), state, now=NOON, new=0)
    well = after(ill, "ok", now=NOON + HOUR, new=2)
    assert well == Health(since=NOON, state="ok", succeeded_at=NOON + HOUR, new_job_at=NOON + HOUR)


@pytest.mark.parametrize(
    ("hours", "outcome", "new", "state"),
    [
        (23, "ok", 0, "ok"),
        (24, "ok", 0, "quiet"),
        (24, "ok", 1, "ok"),
        (1, "quiet", 0, "quiet"),
        (99, "broken", 0, "broken"),
    ],
)
@pytest.mark.parametrize("brought_one", [True, False])
def test_a_day_without_anything_new_is_quiet(hours, outcome, new, state, brought_one):
    before = Health(since=NOON - 99 * HOUR * brought_one, new_job_at=NOON if brought_one else None)
    assert after(before, outcome, now=NOON + hours * HOUR, new=new).state == state


def test_one_that_does_not_back_off_is_always_due():
    health = after(Health(since=NOON), "broken", now=NOON, new=0, backs_off=False)
    assert (health.failures, health.next_look_at) == (1, None)
    assert is_due(None, now=NOON)


def test_a_wait_that_a_wrong_clock_set_does_not_hold():
    assert is_due(NOON + 25 * HOUR, now=NOON)
    assert not is_due(NOON + 23 * HOUR, now=NOON)


def test_what_needs_the_operator_is_no_healthy_state():
    assert not set(FOR_THE_OPERATOR) & set(HEALTHY)

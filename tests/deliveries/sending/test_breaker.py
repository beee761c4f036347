"""When one refusal means everybody's, and when to stop trying."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deliveries.sending.breaker import TROUBLE_IN_A_ROW, Breaker
from deliveries.sending.failures import Outcome
from tests.factories import NOON

OUTCOMES = st.lists(st.tuples(st.sampled_from(list(Outcome)), st.sampled_from("abc")))
HOUR = timedelta(hours=1)


def after(
    breaker: Breaker, outcome: Outcome, user: str = "a", wait: float | None = None
) -> Breaker:
    meaning = breaker.meaning(outcome, user)
    return breaker.after(meaning, user, now=NOON, retry_after=wait, error=str(outcome))


def having(*outcomes: tuple[Outcome, str]) -> Breaker:
    breaker = Breaker()
    for outcome, user in outcomes:
        breaker = after(breaker, outcome, user)
    return breaker


PERSON, NOW = Outcome.REFUSED_PERSON, Outcome.REFUSED_NOW


@pytest.mark.parametrize(
    ("before", "meaning"),
    [
        ([], PERSON),
        ([(PERSON, "a")], Outcome.REFUSED_EVERYONE),
        ([(PERSON, "b")], PERSON),  # the same user again
        ([(PERSON, "a"), (Outcome.ACCEPTED, "c")], PERSON),
        ([(PERSON, "a"), (Outcome.UNKNOWN, "c")], Outcome.REFUSED_EVERYONE),
    ],
)
def test_two_people_refused_in_a_row_are_everybody(before, meaning):
    assert having(*before).meaning(PERSON, "b") == meaning


@pytest.mark.parametrize("outcome", sorted(set(Outcome) - {PERSON}))
def test_no_other_outcome_changes_its_meaning(outcome):
    assert having((PERSON, "a")).meaning(outcome, "b") == outcome


def test_the_second_refusal_opens_the_breaker_until_the_next_run():
    down = having((PERSON, "a"), (PERSON, "b"))
    assert (down.down, down.closed_at(NOON), down.detail) == (True, False, str(PERSON))
    assert down.at_start_of_run().closed_at(NOON)
    assert down.at_start_of_run().meaning(PERSON, "b") == Outcome.REFUSED_EVERYONE


@pytest.mark.parametrize("outcome", [NOW, Outcome.UNKNOWN])
def test_trouble_in_a_row_stops_the_run(outcome):
    breakers = [having(*[(outcome, "a")] * n) for n in range(TROUBLE_IN_A_ROW + 1)]
    assert [b.closed_at(NOON) for b in breakers] == [True] * TROUBLE_IN_A_ROW + [False]
    assert breakers[-1].at_start_of_run().closed_at(NOON)


def test_nothing_left_is_no_trouble():
    assert having(*[(Outcome.NOTHING_LEFT, "a")] * 5).closed_at(NOON)


@pytest.mark.parametrize(("asked", "waits"), [(3600.0, HOUR), (9e12, 12 * HOUR), (-3.0, 0 * HOUR)])
def test_a_provider_that_asks_to_wait_is_waited_for_also_by_the_next_run(asked, waits):
    breaker = after(Breaker(), NOW, wait=asked).at_start_of_run()
    assert not breaker.closed_at(NOON + waits - timedelta(seconds=1))
    assert breaker.closed_at(NOON + waits)


def test_what_cannot_be_opened_is_down():
    assert Breaker().after_opening(None, error="") == Breaker()
    failed = Breaker().after_opening(NOW, error="no route")
    assert (failed.down, failed.detail) == (True, "no route")


@given(OUTCOMES)
def test_an_accepted_mail_makes_everything_good_again(outcomes):
    assert after(having(*outcomes), Outcome.ACCEPTED) == Breaker()


@given(OUTCOMES)
def test_a_breaker_that_is_down_stays_down_until_a_mail_is_accepted_or_a_run_begins(outcomes):
    breaker = Breaker(down=True)
    for outcome, user in outcomes:
        breaker = after(breaker, outcome, user)
        if outcome == Outcome.ACCEPTED:
            return
        assert not breaker.closed_at(NOON)

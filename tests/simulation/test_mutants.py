"""Every mistake of docs/guarantees.md is caught, and the same lives show nothing without it."""

import pytest

from tests.simulation import hunting, poison
from tests.simulation.foci import FOCI, HUNTED, POISON
from tests.simulation.hunting import Catch
from tests.simulation.moment import moved_clock
from tests.simulation.mutants import MUTANTS, NONE

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 60
BY_NAME = {mutant.name: mutant for mutant in MUTANTS}
HUNTS: dict[str, tuple[str, ...]] = {**HUNTED, POISON: ("no isolation between users",)}


def test_fourteen_mutants_are_hunted():
    hunted = sorted(name for names in HUNTS.values() for name in names)
    assert hunted == sorted(BY_NAME)
    assert len(hunted) == 14


@pytest.mark.parametrize("mutant", [*MUTANTS, NONE], ids=lambda mutant: mutant.name)
def test_every_mistake_can_still_be_made(mutant):
    with mutant.planted():
        pass


@pytest.mark.parametrize("where", HUNTS)
def test_a_mutant_is_caught_and_a_change_of_nothing_survives(where, record_property):
    def hunt(most: int) -> Catch | None:
        return poison.hunt(most) if where == POISON else hunting.hunt(FOCI[where], most)

    longest = 0
    with moved_clock():
        for name in HUNTS[where]:
            with BY_NAME[name].planted():
                caught = hunt(MOST)
            assert caught, f"{name} survived {MOST} examples"
            told = f"caught by assertion {caught.number} after {caught.examples} examples"
            record_property("mutant", f"{name}, {told} ({where})")
            longest = max(longest, caught.examples)
        with NONE.planted():
            assert hunt(longest) is None
        record_property("mutant", f"{NONE.name}, survived {longest} examples ({where})")

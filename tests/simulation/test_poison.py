"""One poisoned user or job: everybody else's outcome equals that of a run without it."""

import pytest

from tests.simulation import poison
from tests.simulation.moment import moved_clock

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPTS = 30


def test_the_poison_of_one_changes_nothing_for_the_others():
    with moved_clock():
        assert poison.hunt(SCRIPTS) is None

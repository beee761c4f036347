"""The pipeline under every fault, in whatever order: the thirteen assertions hold.

The seeds are fixed, so that the suite does the same every time; `./dev soak` takes new ones.
"""

import pytest

from tests.simulation.batches import play
from tests.simulation.moment import moved_clock

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = 20


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_no_fault_makes_a_mail_come_twice_or_get_lost(seed):
    with moved_clock():
        batch = play(seed, EXAMPLES)
    assert batch.examples >= EXAMPLES
    assert batch.faults.total() > EXAMPLES
    assert batch.mailed > EXAMPLES

"""Whether work is being done."""

from datetime import timedelta

import pytest

from deliveries.running.liveness import Signs, trouble
from tests.factories import NOON


@pytest.mark.parametrize(
    ("waiting", "scan", "says"),
    [
        (None, None, None),
        (5, 35, None),
        (6, 1, "a task has waited for 6 minutes"),
        (6, None, "a task has waited for 6 minutes"),
        (None, 36, "the last scan finished 36 minutes ago"),
    ],
)
def test_trouble(waiting, scan, says):
    def ago(minutes):
        return None if minutes is None else NOON - timedelta(minutes=minutes)

    signs = Signs(now=NOON, oldest_waiting=ago(waiting), last_scan=ago(scan))
    assert trouble(signs) == says

"""What tests of whole stories share."""

import pytest

from deliveries.work.clock import Clock
from tests.deliveries.market import Market
from tests.factories import NOON


@pytest.fixture
def market(tmp_path, smtp, settings) -> Market:
    """Posts in a file, scans over it, and an inbox, at noon."""
    return Market(tmp_path, smtp, settings, Clock.set_to(NOON))

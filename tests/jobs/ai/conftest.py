"""A scan whose verdicts a fake model gives."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from typing import Any

import pytest

from deliveries.scan import scan
from deliveries.summaries import ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.jobs.ai.fake_model import FakeModel


@pytest.fixture
def model(settings, smtp) -> Iterator[Callable[..., FakeModel]]:
    """Starts a fake model and names it in the settings: US$ 1 a million tokens read, 10 written."""
    settings.SCOUT_SOURCES = []
    settings.OPENAI_API_KEY, settings.ANTHROPIC_API_KEY = "sk-secret-1", "sk-secret-2"
    settings.SCOUT_AI_PRICES = ["test-model=1/10"]
    settings.SCOUT_AI_MIN_SCORE = 0
    settings.SCOUT_AI_DAILY_USD = settings.SCOUT_AI_USER_DAILY_USD = Decimal(10)
    with ExitStack() as stack:

        def start(*args: Any, **kwargs: Any) -> FakeModel:
            fake = stack.enter_context(FakeModel(*args, **kwargs))
            settings.SCOUT_SCORER = fake.scorer
            return fake

        yield start


@pytest.fixture
def run(monkeypatch) -> Callable[..., ScanSummary]:
    """Runs a scan; the pause before a second call is no pause."""
    monkeypatch.setattr("jobs.ai.judging.PAUSE", lambda seconds: None)

    def once(clock: Clock | None = None, seconds: float = 600) -> ScanSummary:
        return scan(clock or Clock(), Wall(seconds))

    return once

"""What all tests share: a clock to move, an SMTP server to look at, people and jobs to make."""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.cache import cache
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.simulation.summary import pytest_terminal_summary  # noqa: F401 -- a hook
from tests.smtp_server import RecordingSMTP

CASES = Path(
    os.environ.get("SCOUT_CASES") or Path(__file__).resolve().parents[2] / "shared" / "cases"
)

hypothesis_settings.register_profile(
    "suite",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("suite")


@pytest.fixture
def cases() -> Path:
    """The folder of real posts and labelled profiles; the test is skipped where it is absent."""
    if not CASES.is_dir():
        pytest.skip(f"the real cases are not at {CASES}")
    return CASES


@pytest.fixture(autouse=True)
def _static_files_as_they_are(settings):
    """Pages find their static files without `collectstatic`, which names them by content."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = settings.STORAGES | {"staticfiles": plain}


@pytest.fixture
def smtp(settings) -> Iterator[RecordingSMTP]:
    """A real SMTP server that Django is told to use."""
    with RecordingSMTP() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.host, server.port
        yield server


@pytest.fixture
def no_tries_yet() -> Iterator[None]:
    """Rate limits forgotten before and after: no rollback and no flush clears the cache's table."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def at() -> Callable[[str], Clock]:
    """A clock set to an ISO time, UTC."""

    def clock(moment: str) -> Clock:
        parsed = datetime.fromisoformat(moment)
        return Clock.set_to(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))

    return clock


@pytest.fixture
def wall() -> Wall:
    """A wall far away."""
    return Wall(600)

"""What django-q2 runs: functions that return summaries, and never end their worker.

A SystemExit would kill the worker without a result, so whether something outside is down stands in
the summary only.  Errors reach django-q2's records without their words, which may name people.
"""

from typing import Any, Final

from django.conf import settings

from deliveries.running import wanted
from deliveries.running.runs import run_digest, run_prune, run_scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall, stopping_on_sigterm

_MARGIN: Final = 30  # seconds between our own wall and the worker's end


def scan() -> dict[str, Any]:
    """One scan; its summary."""
    wall = _wall()
    with stopping_on_sigterm(wall):
        return run_scan(Clock(), wall).as_json()


def digest() -> dict[str, Any]:
    """One digest tick; its summary."""
    wall = _wall()
    with stopping_on_sigterm(wall):
        return run_digest(Clock(), wall).as_json()


def prune() -> dict[str, Any]:
    """Delete what is older than it is kept; how many of each."""
    wall = _wall()
    with stopping_on_sigterm(wall):
        return run_prune(Clock(), wall).as_json()


def wanted_run(kind: wanted.Kind) -> dict[str, Any]:
    """The run that somebody asked for, unless it has been done since."""
    if not wanted.is_waiting(kind):
        return {"skipped": "done already"}
    return scan() if kind == "scan" else digest()


def _wall() -> Wall:
    """Our limit, and always before the worker's own, which would strike anywhere."""
    ends: Any = settings.Q_CLUSTER["timeout"]
    return Wall(min(settings.SCOUT_MAX_SECONDS, ends - _MARGIN))

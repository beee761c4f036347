"""The latest finished runs, as endpoints report them."""

from datetime import UTC, datetime
from typing import Any

from deliveries.models import Run
from deliveries.running import wanted
from deliveries.running.liveness import Signs
from deliveries.work.clock import database_time


def last_finished(kind: wanted.Kind) -> Run | None:
    """The finished run of this kind that started last."""
    return Run.objects.filter(kind=kind, finished_at__isnull=False).order_by("-started_at").first()


def signs() -> Signs:
    """What liveness is told from, by the database's clock."""
    scan = last_finished("scan")
    return Signs(
        now=database_time(),
        oldest_waiting=wanted.oldest_waiting(),
        last_scan=scan.finished_at if scan else None,
    )


def as_json(run: Run | None) -> dict[str, Any] | None:
    """A finished run's times (ISO 8601, UTC) and summary; numbers and source names only."""
    if run is None:
        return None
    return {
        "started_at": moment(run.started_at),
        "finished_at": moment(run.finished_at),
        "summary": run.summary,
    }


def moment(at: datetime | None) -> str | None:
    """A time as ISO 8601, UTC, in whole seconds, ending in Z."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None

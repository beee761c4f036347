"""Fetching: look at every source, store what it said, note how it is doing."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from accounts.boundaries import commit, effect
from jobs.models import SourceState
from jobs.models.source_state import HEALTHY
from jobs.sources import Fetched, Source
from jobs.store import Stored, store

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FetchSummary:
    """How many postings came, how many jobs were new, and each source's state."""

    fetched: int = 0
    new_jobs: int = 0
    rejected: int = 0
    sources: dict[str, str] = field(default_factory=dict)

    @property
    def healthy(self) -> bool:
        """Whether every source is well; an empty market is well, a wall is not."""
        return all(state in HEALTHY for state in self.sources.values())


def fetch_all(sources: Sequence[Source], *, now: datetime) -> FetchSummary:
    """Look at each source once; one in trouble never stops the others."""
    states = {state.name: state for state in SourceState.objects.all()}
    fetched = new_jobs = rejected = 0
    outcomes: dict[str, str] = {}
    for source in sources:
        before = states.get(source.name)
        found = _look(source, now=now, watermark=before.watermark if before else "")
        stored = _keep(source, found, now=now)
        if stored is None:
            found = Fetched(state="broken", detail="The postings could not be stored.")
            stored = _keep(source, found, now=now) or Stored()
        fetched += len(found.postings)
        rejected += len(found.rejected) + len(stored.refused)
        new_jobs += stored.new
        outcomes[source.name] = found.state
    return FetchSummary(fetched, new_jobs, rejected, outcomes)


def _look(source: Source, *, now: datetime, watermark: str) -> Fetched:
    try:
        with effect("source: fetch"):
            return source.fetch(now=now, watermark=watermark)
    except Exception as error:  # noqa: BLE001 -- whatever a source does, the others go on
        log.warning("source %s broke: %s", source.name, type(error).__name__)
        return Fetched(state="broken", detail=f"{type(error).__name__}: {error}"[:500])


def _keep(source: Source, found: Fetched, *, now: datetime) -> Stored | None:
    """Store postings and watermark in one transaction; None when the database refused."""
    try:
        with commit("source: keep"):
            stored = store(found.postings, source=source.name, trust=source.trust, now=now)
            _note(source.name, found, stored.new, now)
    except Exception as error:  # noqa: BLE001 -- one source's row must not stop the others
        log.warning("source %s could not be stored: %s", source.name, type(error).__name__)
        return None
    for job_id in stored.refused:
        log.warning("source %s: the database refused job %s", source.name, job_id)
    return stored


def _note(name: str, found: Fetched, new: int, now: datetime) -> None:
    well = found.state in HEALTHY
    changes = {"state": found.state, "detail": found.detail[:500], "checked_at": now}
    if well:
        changes |= {"succeeded_at": now, "failures": 0, "watermark": found.watermark}
    if new:
        changes["new_job_at"] = now
    state, created = SourceState.objects.select_for_update().get_or_create(
        name=name, defaults={**changes, "failures": 0 if well else 1}
    )
    if not created:
        if not well:
            changes["failures"] = state.failures + 1
        SourceState.objects.filter(pk=name).update(**changes)

"""Fetching: look at every source, store what it said, note how it is doing."""

import logging
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from accounts.boundaries import commit, effect
from jobs import quarantine
from jobs.models import SourceState
from jobs.postings.botwall import BotWall
from jobs.postings.posting import Posting
from jobs.postings.posting_json import as_json
from jobs.preparing import prepare_jobs
from jobs.rows import BadRow
from jobs.source_health import HEALTHY, Health, after, is_due
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


def fetch_all(
    sources: Sequence[Source],
    *,
    now: datetime,
    in_time: Callable[[], bool] = lambda: True,
    every_one: bool = False,
) -> FetchSummary:
    """Look at each source once; one in trouble never stops the others.

    One in trouble waits until it is due, unless `every_one` is wanted now, and one that backs off
    is left for the next time once `in_time` says no (those looked at longest ago come first): both
    keep the state they have.
    """
    with commit("source: retire"):
        gone = SourceState.objects.exclude(pk__in=[source.name for source in sources])
        gone.exclude(state="off").update(state="off", detail="No longer configured.")
    states = {state.name: state for state in SourceState.objects.all()}
    looks = [_Look(source, states.get(source.name), now) for source in sources]
    for look in sorted(looks, key=lambda each: each.last):
        if not look.source.backs_off or (in_time() and (every_one or look.is_due)):
            look.take()
    prepare_jobs(now=now, in_time=in_time)
    return FetchSummary(
        fetched=sum(len(look.found.postings) for look in looks if look.found),
        new_jobs=sum(look.stored.new for look in looks),
        rejected=sum(look.rejected for look in looks),
        sources={look.source.name: look.state for look in looks},
    )


class _Look:
    """One look at one source, or the decision not to take it yet."""

    def __init__(self, source: Source, before: SourceState | None, now: datetime) -> None:
        self.source = source
        self._before = before if before and before.place == source.place else None
        self._now = now
        self.state = self._before.state if self._before else "off"
        self.found: Fetched | None = None
        self.stored = Stored()

    @property
    def last(self) -> datetime:
        return self._before.checked_at if self._before else datetime.min.replace(tzinfo=UTC)

    @property
    def is_due(self) -> bool:
        return self._before is None or is_due(self._before.next_look_at, now=self._now)

    @property
    def rejected(self) -> int:
        return len(self.found.rejected) + len(self.stored.refused) if self.found else 0

    def take(self) -> None:
        found = self._fetch()
        stored = self._keep(found)
        if stored is None:
            found = Fetched(state="broken", detail="The postings could not be stored.")
            stored = self._keep(found) or Stored()
        self.found, self.stored = found, stored

    def _fetch(self) -> Fetched:
        watermark = self._before.watermark if self._before else ""
        try:
            with effect("source: fetch"):
                return self.source.fetch(now=self._now, watermark=watermark)
        except BotWall as wall:
            return Fetched(state=wall.state, detail=f"It holds {wall}.")
        except Exception as error:  # noqa: BLE001 -- whatever a source does, the others go on
            # Its words and its values may hold an address with a password: only its place is told.
            where = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__} in {where.name}, line {where.lineno}"
            log.warning("source %s broke: %s", self.source.name, what)
            return Fetched(state="broken", detail=f"It broke: {what}.")

    def _keep(self, found: Fetched) -> Stored | None:
        """Store postings, bad rows and watermark in one transaction; None when the database
        refused."""
        name = self.source.name
        try:
            with commit("source: keep"):
                stored = self._store(found)
                self.state = _note(self.source, found, stored.new, self._now)
        except Exception as error:  # noqa: BLE001 -- one source's row must not stop the others
            log.warning("source %s could not be stored: %s", name, type(error).__name__)
            self.state = found.state
            return None
        for job_id in stored.refused:
            log.warning("source %s: the database refused job %s", name, job_id)
        return stored

    def _store(self, found: Fetched) -> Stored:
        now, keeps = self._now, self.source.keeps
        until = None if keeps is None else min(now, found.fetched_at or now) + keeps
        by: dict[str, Any] = {"source": self.source.name, "trust": self.source.trust, "now": now}
        stored = store(found.postings, **by, text_until=until)
        rejected = (*found.rejected, *refused(found.postings, stored, now))
        quarantine.keep((*rejected, *found.half_understood), **by, until=until)
        return stored


def refused(postings: Sequence[Posting], stored: Stored, now: datetime) -> list[BadRow]:
    """The postings that the database refused, for the quarantine."""
    reason = "the database refused it"
    return [
        BadRow(kind="rejected", reason=reason, raw=as_json(posting), fetched_at=now)
        for posting in postings
        if posting.id in stored.refused
    ]


def _note(source: Source, found: Fetched, new: int, now: datetime) -> str:
    """Note how the look went; the state that it is in now."""
    fresh = {"state": "off", "checked_at": now, "place": source.place, "since": now}
    row, _ = SourceState.objects.select_for_update().get_or_create(name=source.name, defaults=fresh)
    same = row.place == source.place
    health = after(
        row.health(now=now) if same else Health(since=now),
        found.state,
        now=now,
        new=new,
        retry_after=found.retry_after,
        backs_off=source.backs_off,
    )
    changes = {"detail": found.detail[:500], "checked_at": now, "place": source.place}
    if found.state in HEALTHY or found.read_whole:
        changes["watermark"] = found.watermark
    elif not same:
        changes["watermark"] = ""
    SourceState.objects.filter(pk=source.name).update(**asdict(health), **changes)
    return health.state

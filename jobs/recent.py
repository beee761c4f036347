"""The recent jobs as one prepared table, kept by the process for as long as it is true."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from django.db.models import Count, Max

from jobs.matching import FreshJobs
from jobs.models import Job
from jobs.verdicts import fresh_jobs

SPAN: Final = timedelta(days=7)
# A bound on memory and on the seconds of a preview: of more jobs the newest count.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """A table, and what it was made of: the window's begin, the highest revision, the number."""

    key: tuple[datetime, int, int]
    jobs: FreshJobs


_lock: Final = Lock()
_kept: list[_Kept] = []


def recent_jobs(*, now: datetime) -> FreshJobs:
    """The jobs dated within a week of `now`, at most the MOST newest, whose text is still kept.

    Costs one small query while nothing has changed, else seconds: texts are prepared for scoring.
    """
    key = _key(now)
    with _lock:  # whoever comes second waits for the first one's table
        if not _kept or _kept[0].key != key:
            _kept[:] = [_Kept(key, _prepared(key[0], now))]
        return _kept[0].jobs


def forget() -> None:
    """Drop the table that is kept."""
    with _lock:
        _kept.clear()


def _key(now: datetime) -> tuple[datetime, int, int]:
    """Changes with every new, changed, dropped or pruned job, and by the hour.

    A dropped text leaves the revision as it is, but not the number.
    """
    since = now.replace(minute=0, second=0, microsecond=0) - SPAN
    kept = Job.objects.filter(dated_at__gte=since, text_dropped_at=None)
    found = kept.aggregate(newest=Max("revision"), number=Count("pk"))
    if found["number"] > MOST:
        newest = kept.order_by("-dated_at").values_list("dated_at", flat=True)
        since = newest[MOST - 1]
    return since, found["newest"] or 0, found["number"]


def _prepared(since: datetime, now: datetime) -> FreshJobs:
    found = fresh_jobs(now=now, fresh=now - since)
    _ = found.table.lexical, found.table.signs
    return found

"""The recent jobs as one prepared table, kept by the process for as long as it is true."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from typing import Final

from django.db.models import Count, Max

from jobs.exchange import current_rates
from jobs.matching import FreshJobs
from jobs.models import Job
from jobs.rates import RateTable
from jobs.table import JobTable
from jobs.text.words import WordIndex
from jobs.verdicts import readable_jobs

Key = tuple[datetime, int, int, RateTable]

SPAN: Final = timedelta(days=7)
# A bound on memory and on the seconds of a preview: of more jobs the newest count.
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """A table, and what it was made of: the window's begin, the highest revision, the number, and
    the exchange rates."""

    key: Key
    jobs: FreshJobs


_lock: Final = Lock()
_kept: list[_Kept] = []


def recent_jobs(*, now: datetime) -> FreshJobs:
    """The jobs dated within a week of `now`, at most the MOST newest, whose text is still kept.

    Costs two small queries while nothing has changed; only what is new or changed is read again.
    """
    key = _key(now)
    with _lock:  # whoever comes second waits for the first one's table
        if not _kept or _kept[0].key != key:
            same_rates = bool(_kept) and _kept[0].key[-1] == key[-1]
            _kept[:] = [_Kept(key, _prepared(key[0], _kept[0].jobs if same_rates else None))]
        return _kept[0].jobs


def forget() -> None:
    """Drop the table that is kept."""
    with _lock:
        _kept.clear()


def _key(now: datetime) -> Key:
    """Changes with every new, changed, dropped or pruned job, and by the hour.

    A dropped text leaves the revision as it is, but not the number.
    """
    since = now.replace(minute=0, second=0, microsecond=0) - SPAN
    kept = Job.objects.filter(dated_at__gte=since, text_dropped_at=None)
    found = kept.aggregate(newest=Max("revision"), number=Count("pk"))
    if found["number"] > MOST:
        newest = kept.order_by("-dated_at").values_list("dated_at", flat=True)
        since = newest[MOST - 1]
    return since, found["newest"] or 0, found["number"], current_rates()


def _prepared(since: datetime, before: FreshJobs | None) -> FreshJobs:
    """The jobs dated since then, as columns ready to be scored; those unchanged as they were."""
    wanted = Job.objects.filter(dated_at__gte=since, text_dropped_at=None)
    revisions = dict(wanted.values_list("pk", "revision"))
    known = before or FreshJobs((), JobTable.of((), ()), (), ())
    same = [
        place
        for place, (job, revision) in enumerate(zip(known.ids, known.revisions, strict=True))
        if revisions.get(job) == revision
    ]
    kept = known.take(same)
    found = kept.join(readable_jobs([*(revisions.keys() - set(kept.ids))]))
    found = found.take(sorted(range(len(found.ids)), key=found.ids.__getitem__))
    _ = (
        found.table.lexical,
        found.table.signs,
        found.table.hits(WordIndex(())),
        found.table.languages,
    )
    return found

"""Pruning: what is deleted, and when.  Nothing that could make a job come twice."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django_q.models import Task

from accounts.boundaries import commit
from accounts.models import DeletedAddress
from deliveries import ledger, routing
from deliveries.models import Run
from deliveries.work.wall import Wall
from jobs.licence import INBOX_KEEPS
from jobs.models import AiCall, AiSpending, AwaitedVerdict, InboxMessage, Thumb

BATCH: Final = 5_000
ADDRESS_KEPT: Final = timedelta(hours=48)

# No freshness reaches further back than a row's longest way through the queue.
_LONGEST_WAY: Final = routing.DAILY_LIFE + routing.DIGEST_LIFE

_VERDICTS: Final = """
DELETE FROM jobs_verdict WHERE id IN (
    SELECT v.id FROM jobs_verdict v JOIN jobs_job j ON j.id = v.job_id
    WHERE v.made_at < %(before)s AND j.dated_at < %(before)s
      AND NOT EXISTS (SELECT FROM deliveries_delivery d WHERE d.id = v.id)
    LIMIT %(most)s FOR UPDATE OF v SKIP LOCKED)
"""
# The id and the first sight stay for ever.  A source that names such a job again brings its text
# back until the next time.
_TEXTS: Final = """
UPDATE jobs_job SET title = '', description = '', skills = '{}',
    prepared = NULL, prepared_of = NULL, prepared_by = NULL,
    text_dropped_at = COALESCE(text_dropped_at, %(now)s)
WHERE id IN (
    SELECT j.id FROM jobs_job j
    WHERE j.first_seen < %(before)s
      AND (j.title <> '' OR j.description <> '' OR j.skills <> '{}')
      AND NOT EXISTS (SELECT FROM jobs_verdict v WHERE v.job_id = j.id)
      AND NOT EXISTS (SELECT FROM deliveries_delivery d WHERE d.job_id = j.id)
    LIMIT %(most)s FOR UPDATE OF j SKIP LOCKED)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """How many rows were deleted, and of how many jobs the text was; `left`: time ran out."""

    deliveries: int
    mails: int
    verdicts: int
    job_texts: int
    runs: int
    deleted_addresses: int
    task_results: int
    sessions: int
    inbox_messages: int
    ai_calls: int
    ai_spending: int
    awaited_verdicts: int
    thumbs: int
    left: bool

    def as_json(self) -> dict[str, Any]:
        """Every key, always."""
        return asdict(self)


def kept_for() -> timedelta:
    """How long final rows are kept: SCOUT_RETENTION_DAYS, and in any case while a job could be
    matched again or a row of it still be on its way."""
    return max(timedelta(days=settings.SCOUT_RETENTION_DAYS), shortest_retention())


def shortest_retention() -> timedelta:
    """The least that keeps a pruned pair from coming again."""
    return timedelta(hours=settings.SCOUT_FRESH_HOURS) + _LONGEST_WAY


def prune(now: datetime, wall: Wall) -> Pruned:
    """Delete what is older than it is kept, in batches, until done or until the wall.

    Safe beside scans and beside itself.  In this order, since verdicts stay as long as their
    ledger row, and texts as long as either.
    """
    before = now - kept_for()
    params = {"before": before, "now": now, "most": BATCH}
    steps: dict[str, Callable[[], int]] = {
        "deliveries": lambda: ledger.prune_deliveries(before=before, most=BATCH),
        "mails": lambda: ledger.prune_mails(before=before, most=BATCH),
        "verdicts": lambda: _execute(_VERDICTS, params),
        "job_texts": lambda: _execute(_TEXTS, params),
    }
    counts = {name: _batches(step, wall) for name, step in steps.items()}
    return Pruned(**counts, **_small_tables(now, before), left=not wall.leaves(0))


def _batches(step: Callable[[], int], wall: Wall) -> int:
    done = 0
    while wall.leaves(0):
        last = step()
        done += last
        if last < BATCH:
            break
    return done


def _small_tables(now: datetime, before: datetime) -> dict[str, int]:
    fresh = timedelta(hours=settings.SCOUT_FRESH_HOURS)
    finished = Run.objects.filter(finished_at__isnull=False).order_by("kind", "-started_at")
    latest = [run.pk for run in finished.distinct("kind")]  # liveness is told from these
    rows = {
        "runs": Run.objects.filter(started_at__lt=before).exclude(pk__in=latest),
        "deleted_addresses": DeletedAddress.objects.filter(
            deleted_at__lt=now - max(ADDRESS_KEPT, fresh)
        ),
        "task_results": Task.objects.filter(stopped__lt=before),
        "sessions": Session.objects.filter(expire_date__lt=now),
        "inbox_messages": InboxMessage.objects.filter(received_at__lte=now - INBOX_KEEPS),
        "ai_calls": AiCall.objects.filter(day__lt=before.date()),
        "ai_spending": AiSpending.objects.filter(day__lt=before.date()),
        # Of people whom no scan visits: everybody else's end with a verdict.
        "awaited_verdicts": AwaitedVerdict.objects.filter(job__dated_at__lt=before),
        # What they came to stays until the user's next thumb.
        "thumbs": Thumb.objects.filter(given_at__lt=before),
    }
    with commit("prune: small tables"):
        return {name: query.delete()[0] for name, query in rows.items()}


def _execute(statement: str, params: Mapping[str, Any]) -> int:
    with commit("prune: a batch"), connection.cursor() as cursor:
        cursor.execute(statement, params)
        changed: int = cursor.rowcount
    return changed

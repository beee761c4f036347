"""Preparing the words of stored jobs once, for every scan and preview to come."""

import json
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, connection
from django.db.models import F, Q

from accounts.boundaries import commit
from jobs.models import Job
from jobs.text.prepared import VERSION, prepare_post
from jobs.text.words import fold

log = logging.getLogger(__name__)

# Nothing reads older words: scans look at fresh jobs, previews at those of a week.
READ_FOR: Final = timedelta(days=7)
_CHUNK: Final = 500
# A row that has changed meanwhile, or is in somebody's hands, is left for the next time.
_KEEP: Final = """
UPDATE jobs_job j
SET prepared = decode(r.prepared, 'hex'), prepared_of = r.revision, prepared_by = %(version)s
FROM json_to_recordset(%(rows)s::json) AS r(id text, revision bigint, prepared text)
WHERE j.id = r.id AND j.revision = r.revision AND j.id IN (
    SELECT id FROM jobs_job
    WHERE id IN (SELECT id FROM json_to_recordset(%(rows)s::json) AS i(id text))
      AND text_dropped_at IS NULL
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
"""


def prepare_jobs(*, now: datetime, in_time: Callable[[], bool] = lambda: True) -> int:
    """Prepare the words of every job of the last week that has not been, or has changed since.

    Of how many it was; the rest is left for the next time once `in_time` says no.  It saves others
    work and is never needed: without it a table prepares the words itself, so a database in trouble
    is only told of.
    """
    stale = ~Q(prepared_of=F("revision"), prepared_by=VERSION) | Q(prepared_of=None)
    jobs = Job.objects.filter(stale, dated_at__gte=now - READ_FOR, text_dropped_at=None)
    last, done = "", 0
    try:
        while in_time() and (
            rows := jobs.filter(pk__gt=last).order_by("pk").values_list(*_READ)[:_CHUNK]
        ):
            done += _keep([made for row in rows if (made := _prepared(*row))])
            last = rows[len(rows) - 1][0]
    except DatabaseError as error:
        log.warning("jobs are not prepared: %s", type(error).__name__)
    return done


_READ: Final = ("pk", "revision", "title", "skills", "description")


def _prepared(
    job_id: str, revision: int, title: str, skills: list[str], description: str
) -> dict[str, object] | None:
    """The row to keep; None for one that cannot be read."""
    try:
        tags = "\n".join(map(fold, skills))
        prepared = prepare_post(fold(title), tags, fold(description))
    except Exception as error:  # noqa: BLE001 -- the boundary between jobs
        log.warning("job %s is not prepared: %s", job_id, type(error).__name__)
        return None
    return {"id": job_id, "revision": revision, "prepared": prepared.hex()}


def _keep(rows: list[dict[str, object]]) -> int:
    if not rows:
        return 0
    with commit("jobs: prepare"), connection.cursor() as cursor:
        cursor.execute(_KEEP, {"rows": json.dumps(rows), "version": VERSION})
        return int(cursor.rowcount)

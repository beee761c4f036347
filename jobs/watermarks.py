"""How far each user's jobs have been judged: what a scan may skip, and when it may not."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Max

from accounts.boundaries import commit
from jobs.models import Job, Watermark

# Only forward, and only for the searches that were judged: a change of them since then has moved
# the version on, and the mark does not count.  Nor does one that a clock made which was ahead: jobs
# that were old by that clock may be fresh.
_NOTE: Final = """
WITH marks AS (
    SELECT w.user_id, m.version
    FROM jobs_watermark w
    JOIN unnest(%(users)s::text[], %(versions)s::bigint[]) AS m(user_id, version)
        ON m.user_id = w.user_id
    WHERE (w.judged_version, w.judged_to) IS DISTINCT FROM (m.version, %(revision)s)
       OR w.judged_at > %(soon)s
    ORDER BY w.user_id
    FOR NO KEY UPDATE OF w
)
UPDATE jobs_watermark w
SET judged_version = marks.version, judged_to = %(revision)s, judged_at = %(now)s
FROM marks WHERE marks.user_id = w.user_id
"""

_SOON: Final = timedelta(minutes=5)  # two looks at one clock are no nearer than that


@dataclass(frozen=True, slots=True)
class Standing:
    """The version of a user's searches, and the revision up to which they were judged."""

    version: int
    judged_to: int


def newest_revision() -> int:
    """The highest revision of any job that can be seen; 0 without jobs.

    Jobs become visible in the order of their revisions: one read later, and lower, was there.
    """
    return Job.objects.aggregate(newest=Max("revision"))["newest"] or 0


def standings(user_ids: Sequence[str], *, now: datetime) -> dict[str, Standing]:
    """Each user's standing.  Read it before the searches: a change in between then counts.

    A user whose searches changed since they were judged, or who was judged well after `now`,
    stands at 0: the whole window again.
    """
    found = {}
    for row in Watermark.objects.filter(pk__in=user_ids):
        counts = row.judged_version == row.version and (row.judged_at or now) <= now + _SOON
        found[row.pk] = Standing(row.version, row.judged_to if counts else 0)
    return {user: found.get(user, Standing(0, 0)) for user in user_ids}


def note_judged(judged: dict[str, Standing], revision: int, *, now: datetime) -> None:
    """Note that every job fresh at `now` up to `revision` has its outcome for these users."""
    params: dict[str, Any] = {
        "users": list(judged),
        "versions": [standing.version for standing in judged.values()],
        "revision": revision,
        "now": now,
        "soon": now + _SOON,
    }
    with commit("watermark: note"), connection.cursor() as cursor:
        cursor.execute(_NOTE, params)

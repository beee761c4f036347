"""Reposts: a text that was posted again under another id comes to a user once."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from django.db import connection

from accounts.boundaries import commit
from jobs.fingerprints import Fingerprint, same_text
from jobs.models import Job

REPOST_SPAN: Final = timedelta(days=14)

# Each new row beside each row of the same user for another job known by the same key.  What
# expired has not been mailed and stands in no way, unless nobody can know after a backup was
# restored.
_RIVALS: Final = """
SELECT n.id, n.user_id, n.job_id, o.job_id, o.id
FROM deliveries_delivery n
JOIN jobs_job j ON j.id = n.job_id
JOIN jobs_job k ON k.text_key = j.text_key AND k.id <> j.id
    AND k.first_seen BETWEEN j.first_seen - %(span)s AND j.first_seen + %(span)s
JOIN deliveries_delivery o ON o.user_id = n.user_id AND o.job_id = k.id
WHERE n.id = ANY(%(new)s) AND (o.status <> 'expired' OR o.reason = 'restored backup')
ORDER BY n.user_id, n.score DESC, j.dated_at, n.job_id, k.first_seen, k.id
"""
_EXPIRE: Final = """
UPDATE deliveries_delivery d
SET status = 'expired', reason = 'repost', repeats_id = r.repeats, changed_at = %(now)s
FROM json_to_recordset(%(rows)s::json) AS r(id text, repeats text)
WHERE d.id = r.id AND d.status = 'queued'
RETURNING d.id
"""


@dataclass(frozen=True, slots=True)
class Rival:
    """A new row beside another of its user, which is new, too, or was there before."""

    id: str
    user_id: str
    job_id: str
    other_job_id: str
    other_is_new: bool


def expire_reposts(new: Collection[str], *, now: datetime) -> frozenset[str]:
    """Expire those of these newly queued rows that repeat another's text; their ids.

    Call it in the transaction that inserted them, with the preferences of their users locked.
    """
    rivals = _rivals(new)
    if not rivals:
        return frozenset()
    jobs = {rival.job_id for rival in rivals} | {rival.other_job_id for rival in rivals}
    repeats = reposts(rivals, _known_by(jobs))
    rows = json.dumps([{"id": id_, "repeats": job} for id_, job in sorted(repeats.items())])
    with commit("ledger: expire reposts"), connection.cursor() as cursor:
        cursor.execute(_EXPIRE, {"rows": rows, "now": now})
        return frozenset(row[0] for row in cursor.fetchall())


def reposts(rivals: Iterable[Rival], known_by: Mapping[str, Fingerprint]) -> dict[str, str]:
    """Which new rows repeat which job, by their ids; the rivals come best first, user by user.

    The first of equal texts is kept: what was there before, then the higher score, then the older
    post.  What repeats something itself is in nobody's way: it is not mailed.
    """
    found: dict[str, str] = {}
    for _, of_user in groupby(rivals, attrgetter("user_id")):
        kept: set[str] = set()
        for (id_, job_id), of_row in groupby(of_user, attrgetter("id", "job_id")):
            in_the_way = [r for r in of_row if not r.other_is_new or r.other_job_id in kept]
            same = [r for r in in_the_way if _same(known_by, job_id, r.other_job_id)]
            if same:
                found[id_] = min(same, key=attrgetter("other_is_new")).other_job_id
            else:
                kept.add(job_id)
    return found


def _same(known_by: Mapping[str, Fingerprint], job: str, other: str) -> bool:
    """Whether both are known, still, and by the same text."""
    return job in known_by and other in known_by and same_text(known_by[job], known_by[other])


def _rivals(new: Collection[str]) -> list[Rival]:
    with connection.cursor() as cursor:
        params: dict[str, Any] = {"new": sorted(new), "span": REPOST_SPAN}
        cursor.execute(_RIVALS, params)
        rows = cursor.fetchall()
    return [Rival(id_, user, job, other, row in new) for id_, user, job, other, row in rows]


def _known_by(job_ids: Collection[str]) -> dict[str, Fingerprint]:
    jobs = Job.objects.filter(pk__in=job_ids)
    return {
        id_: Fingerprint(key, bytes(sketch))
        for id_, key, sketch in jobs.values_list("pk", "text_key", "text_sketch")
        if key is not None and sketch is not None  # it may have changed a moment ago
    }

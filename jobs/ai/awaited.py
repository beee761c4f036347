"""Pairs a model has not judged: kept, so that the watermark, which moves on, loses none."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection

from accounts.boundaries import commit
from jobs.matching import Key
from jobs.models import AwaitedVerdict
from jobs.watermarks import Standing

_KEEP: Final = """
INSERT INTO jobs_awaitedverdict AS a (user_id, job_id, tries, since)
SELECT r.user_id, r.job_id, r.tries, %(now)s
FROM unnest(%(users)s::text[], %(jobs)s::text[], %(tries)s::int[]) AS r(user_id, job_id, tries)
JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid FOR KEY SHARE) u
    ON u.uid = r.user_id
ORDER BY r.user_id, r.job_id
ON CONFLICT (user_id, job_id) DO UPDATE SET tries = a.tries + EXCLUDED.tries
"""
# By what is there, not by what this process has seen: another may be at work on the same user.
_FORGET: Final = """
DELETE FROM jobs_awaitedverdict WHERE id IN (
    SELECT a.id FROM jobs_awaitedverdict a
    JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid FOR KEY SHARE) u
        ON u.uid = a.user_id
    JOIN jobs_job j ON j.id = a.job_id
    WHERE (j.dated_at < %(before)s
           OR EXISTS (SELECT FROM jobs_verdict v
                      WHERE v.user_id = a.user_id AND v.job_id = a.job_id))
    ORDER BY a.user_id, a.job_id FOR UPDATE OF a)
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How often a model has failed on a pair, since when, and the job's revision now."""

    tries: int
    since: datetime
    revision: int


def of(user_ids: Sequence[str]) -> dict[Key, Waiting]:
    """The pairs of these users that wait."""
    rows = AwaitedVerdict.objects.filter(user_id__in=user_ids)
    columns = rows.values_list("user_id", "job_id", "tries", "since", "job__revision")
    return {(user, job): Waiting(tries, at, rev) for user, job, tries, at, rev in columns}


def stand_back(
    standing: Mapping[str, Standing], waiting: Mapping[Key, Waiting]
) -> dict[str, Standing]:
    """The users' standing, moved back before the earliest job they wait for."""
    found = dict(standing)
    for (user, _), pair in waiting.items():
        if user in found and pair.revision <= found[user].judged_to:
            found[user] = replace(found[user], judged_to=pair.revision - 1)
    return found


def keep(failed: Collection[Key], unreached: Collection[Key], *, now: datetime) -> None:
    """Note that these pairs wait, and that a model has failed on the first of them once more."""
    tries = {**dict.fromkeys(unreached, 0), **dict.fromkeys(failed, 1)}
    if not tries:
        return
    params: dict[str, Any] = {
        "users": [user for user, _ in tries],
        "jobs": [job for _, job in tries],
        "tries": list(tries.values()),
        "now": now,
    }
    with commit("ai: await"), connection.cursor() as cursor:
        cursor.execute(_KEEP, params)


def forget(user_ids: Sequence[str], *, now: datetime, fresh: timedelta) -> None:
    """End the wait of the users' pairs that have a verdict by now, and of jobs no longer fresh."""
    params: dict[str, Any] = {"users": list(user_ids), "before": now - fresh}
    with commit("ai: forget"), connection.cursor() as cursor:
        cursor.execute(_FORGET, params)

"""Pairs a model has not judged: kept, so that the watermark, which moves on, loses none."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Q

from accounts.boundaries import commit
from jobs.matching import Key
from jobs.models import AwaitedVerdict
from jobs.watermarks import Standing

_KEEP: Final = """
INSERT INTO jobs_awaitedverdict AS a (user_id, job_id, tries, since, until, local)
SELECT r.user_id, r.job_id, r.tries, %(now)s, r.until, r.local
FROM json_to_recordset(%(rows)s::json)
    AS r(user_id text, job_id text, tries int, until timestamptz, local jsonb)
JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid FOR KEY SHARE) u
    ON u.uid = r.user_id
ORDER BY r.user_id, r.job_id
ON CONFLICT (user_id, job_id) DO UPDATE
SET tries = a.tries + EXCLUDED.tries, until = EXCLUDED.until, local = EXCLUDED.local
"""
# By what is there, not by what this process has seen: another may be at work on the same user.
_FORGET: Final = """
DELETE FROM jobs_awaitedverdict WHERE id IN (
    SELECT a.id FROM jobs_awaitedverdict a
    JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid FOR KEY SHARE) u
        ON u.uid = a.user_id
    JOIN jobs_job j ON j.id = a.job_id
    WHERE ((a.until IS NULL AND j.dated_at < %(before)s)
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


@dataclass(frozen=True, slots=True)
class Owed:
    """A pair that is to wait: whether a model has failed on it (1) or not been asked (0), and the
    two values that `AwaitedVerdict` keeps."""

    user_id: str
    job_id: str
    tries: int
    until: datetime
    local: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Late:
    """A pair that waits although nobody would be told of its job any more, or its text is gone."""

    user_id: str
    job_id: str
    since: datetime
    title: str  # as the post has it now, if it has
    local: Mapping[str, Any]


def are_any() -> bool:
    """Whether any pair waits at all."""
    return AwaitedVerdict.objects.exists()


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


def late(user_ids: Sequence[str], *, now: datetime) -> list[Late]:
    """The pairs of these users that no later scan would ask about, those waiting longest first."""
    rows = AwaitedVerdict.objects.filter(user_id__in=user_ids, until__isnull=False)
    rows = rows.filter(Q(until__lt=now) | Q(job__text_dropped_at__isnull=False))
    columns = ("user_id", "job_id", "since", "job__title", "local")
    return [Late(*row) for row in rows.order_by("since", "pk").values_list(*columns)]


def keep(owed: Sequence[Owed], *, now: datetime) -> None:
    """Note that these pairs wait, and of which of them a model has failed on once more."""
    if not owed:
        return
    params: dict[str, Any] = {
        "rows": json.dumps([asdict(one) for one in owed], default=datetime.isoformat),
        "users": sorted({one.user_id for one in owed}),
        "now": now,
    }
    with commit("ai: await"), connection.cursor() as cursor:
        cursor.execute(_KEEP, params)


def forget(user_ids: Sequence[str], *, now: datetime, fresh: timedelta) -> None:
    """End the wait of the users' pairs that have a verdict by now; of those that an earlier version
    noted, once their job is no longer fresh."""
    params: dict[str, Any] = {"users": list(user_ids), "before": now - fresh}
    with commit("ai: forget"), connection.cursor() as cursor:
        cursor.execute(_FORGET, params)

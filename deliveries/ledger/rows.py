"""Ledger rows: recorded once, moved between routes, expired with a reason."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import F

from accounts.boundaries import commit
from accounts.models import Preferences
from accounts.vocabulary import Mode
from deliveries import routing
from deliveries.ledger.reposts import expire_reposts
from deliveries.models import Delivery
from deliveries.statuses import ExpiryReason

# Preferences and users are locked in one order and rows inserted in one order, so that two bulk
# inserts cannot deadlock; a user deleted meanwhile drops out instead of failing the block.
# Preferences come first, as wherever both are locked.  When the user's jobs begin is read here,
# under a lock that sees every change: a scan may have read the user of an account that was deleted
# and made again since.  The preferences are locked against another recording, too: whoever comes
# second sees the first one's rows when it looks for reposts.
_RECORD: Final = """
WITH wanted AS (
    SELECT * FROM json_to_recordset(%(rows)s::json)
        AS r(user_id text, job_id text, score int, threshold int, title text)
), living AS (
    SELECT u.uid, u.jobs_from, p.mode
    FROM accounts_user u JOIN accounts_preferences p ON p.user_id = u.uid
    WHERE u.is_active AND u.uid IN (SELECT user_id FROM wanted)
    ORDER BY u.uid
    FOR NO KEY UPDATE OF p FOR SHARE OF u
)
INSERT INTO deliveries_delivery
    (id, user_id, job_id, status, route, score, threshold, title, queued_at, changed_at)
SELECT w.user_id || '_' || w.job_id, w.user_id, w.job_id, 'queued', l.mode,
       w.score, w.threshold, w.title, %(now)s, %(now)s
FROM wanted w JOIN living l ON l.uid = w.user_id JOIN jobs_job j ON j.id = w.job_id
WHERE l.jobs_from IS NULL OR j.dated_at > l.jobs_from
ORDER BY 1
ON CONFLICT DO NOTHING
RETURNING id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    """A verdict that reached its search's threshold."""

    user_id: str
    job_id: str
    score: int
    threshold: int
    title: str


def record(rows: Sequence[NewRow], *, now: datetime) -> frozenset[str]:
    """Queue each (user, job) that has no row yet; the ids that are queued now and were not there.

    The route follows the user's mode at this moment.  Pairs that have a row in any status, users
    who are gone or inactive, and jobs dated before the user's begin are passed over.  A job that
    repeats another's text gets a row that is expired at once.  Call it outside any transaction
    that has locked a user before.
    """
    if not rows:
        return frozenset()
    with commit("ledger: record"):
        new = _insert(rows, now)
        return new - expire_reposts(new, now=now)


def _insert(rows: Sequence[NewRow], now: datetime) -> frozenset[str]:
    values = json.dumps([asdict(row) for row in rows])
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, {"rows": values, "now": now})
        return frozenset(row[0] for row in cursor.fetchall())


def reroute(user_id: str, mode: Mode, *, now: datetime, fresh: timedelta) -> int:
    """Let the user's queued rows follow a newly saved mode; how many changed.

    What is too old for an alert stays with the digest, which comes whatever the mode is.  Call it
    in the transaction that saves, with the preferences row locked.
    """
    rows = Delivery.objects.filter(user_id=user_id, status="queued").exclude(route=mode)
    if mode == "instant":
        terms = Preferences.objects.get(pk=user_id).terms()
        rows = rows.filter(job__dated_at__gte=routing.alert_horizon(terms, now, fresh))
    with commit("ledger: reroute"):
        return rows.update(route=mode, changed_at=now)


def expire(ids: Sequence[str], reason: ExpiryReason, *, now: datetime) -> int:
    """Give up queued rows for a reason; rows that moved on meanwhile are left alone."""
    queued = Delivery.objects.filter(pk__in=ids, status="queued")
    with commit("ledger: expire"):
        return queued.update(status="expired", reason=reason, changed_at=now)


def requeue(ids: Sequence[str], *, now: datetime) -> int:
    """Queue failed rows again, as staff may; how many were.

    The attempt counts, so that the mail they come into next has an id of its own.
    """
    failed = Delivery.objects.filter(pk__in=ids, status="failed")
    with commit("ledger: requeue"):
        return failed.update(status="queued", mail=None, attempts=F("attempts") + 1, changed_at=now)

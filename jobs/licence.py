"""Licence periods: where a source demands it, a post's text goes soon after it was fetched.

What goes is all that the post said; what stays are its id, its address, its dates and what we made
of it: scores with their parts, reasons, and the titles that the ledger and thumbs recorded.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection

from accounts.boundaries import commit
from jobs.postings.posting import Posting

# What Upwork's terms allow whoever gets its data: no copy older than a day.
UPWORK_KEEPS: Final = timedelta(hours=24)
# Senders read Upwork's pages, whose terms bind whoever copies them: read by a scan or not.
INBOX_KEEPS: Final = UPWORK_KEEPS

# Of a posting's fields; what another one is added to is forgotten with the rest.
STAYS: Final = frozenset({"id", "url", "posted_at", "posted_at_estimated"})
GOES: Final = tuple(name for name in Posting.__dataclass_fields__ if name not in STAYS)
_EMPTY: Final = {"title": "''", "description": "''", "skills": "'{}'", "worker_countries": "'{}'"}

# Rows in somebody's hands are passed over until the next tick: nobody waits, nobody deadlocks.
_TEXTS: Final = f"""
UPDATE jobs_job SET text_dropped_at = %(now)s, text_until = NULL,
    prepared = NULL, prepared_of = NULL, prepared_by = NULL,
    {", ".join(f"{name} = {_EMPTY.get(name, 'NULL')}" for name in GOES)}
WHERE id IN (
    SELECT id FROM jobs_job WHERE text_until <= %(now)s ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
"""  # noqa: S608 -- column names are our own constants
# A verdict says what the filters found in the post.  One that a scan wrote while the text went is
# found for an hour.
_COMPARED: Final = """
UPDATE jobs_verdict SET compared = '{}'
WHERE id IN (
    SELECT v.id FROM jobs_verdict v JOIN jobs_job j ON j.id = v.job_id
    WHERE j.text_dropped_at >= %(now)s - interval '1 hour' AND v.compared <> '{}'
    ORDER BY v.id FOR NO KEY UPDATE OF v SKIP LOCKED)
"""
_QUARANTINE: Final = """
DELETE FROM jobs_quarantinedrow
WHERE id IN (
    SELECT id FROM jobs_quarantinedrow
    WHERE COALESCE(until, seen_at + %(kept)s) <= %(now)s ORDER BY id FOR UPDATE SKIP LOCKED)
"""

_UNREAD: Final = """
DELETE FROM jobs_inboxmessage
WHERE id IN (
    SELECT id FROM jobs_inboxmessage
    WHERE received_at <= %(now)s - %(inbox)s ORDER BY id FOR UPDATE SKIP LOCKED)
"""


def end_periods(now: datetime) -> int:
    """Drop every text, quarantined row and unread message whose time is over; of how many jobs it
    was.

    Part of every tick, before anything is read: safe beside scans, digests and itself.
    """
    kept = timedelta(days=settings.SCOUT_RETENTION_DAYS)
    params: dict[str, Any] = {"now": now, "kept": kept, "inbox": INBOX_KEEPS}
    with commit("licence: end"), connection.cursor() as cursor:
        cursor.execute(_TEXTS, params)
        dropped: int = cursor.rowcount
        cursor.execute(_COMPARED, params)
        cursor.execute(_QUARANTINE, params)
        cursor.execute(_UNREAD, params)
    return dropped

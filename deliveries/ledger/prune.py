"""Forgetting: rows of the ledger that are final and older than they are kept."""

from datetime import datetime
from typing import Any, Final

from django.db import connection

from accounts.boundaries import commit

# The job's own age counts too, so that no clock that once was wrong can make a pair come again.
# Rows are locked as they are found, so none moves on in between.
_DELIVERIES: Final = """
DELETE FROM deliveries_delivery
WHERE id IN (
    SELECT d.id FROM deliveries_delivery d JOIN jobs_job j ON j.id = d.job_id
    WHERE d.status IN ('sent', 'unconfirmed', 'failed', 'expired')
      AND d.changed_at < %(before)s AND j.dated_at < %(before)s
    LIMIT %(most)s FOR UPDATE OF d SKIP LOCKED
)
"""
_MAILS: Final = """
DELETE FROM deliveries_mail
WHERE id IN (
    SELECT m.id FROM deliveries_mail m
    WHERE m.finished_at < %(before)s
      AND NOT EXISTS (SELECT FROM deliveries_delivery d WHERE d.mail_id = m.id)
    LIMIT %(most)s FOR UPDATE OF m SKIP LOCKED
)
"""


def prune_deliveries(*, before: datetime, most: int) -> int:
    """Delete at most so many final rows, unchanged since `before`, of jobs dated before it."""
    with commit("prune: deliveries"):
        return _delete(_DELIVERIES, before, most)


def prune_mails(*, before: datetime, most: int) -> int:
    """Delete at most so many mails that ended before `before` and carry no row; how many were."""
    with commit("prune: mails"):
        return _delete(_MAILS, before, most)


def _delete(statement: str, before: datetime, most: int) -> int:
    params: dict[str, Any] = {"before": before, "most": most}
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        changed: int = cursor.rowcount
    return changed

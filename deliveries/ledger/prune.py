"""Forgetting: rows of the ledger that are final and older than they are kept."""

from datetime import datetime
from typing import Any, Final

from django.db import connection

# The condition stands twice: a row that moved on while it was waited for is kept.
_DELIVERIES: Final = """
DELETE FROM deliveries_delivery
WHERE id IN (
    SELECT id FROM deliveries_delivery
    WHERE status IN ('sent', 'unconfirmed', 'failed', 'expired') AND changed_at < %(before)s
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
) AND status IN ('sent', 'unconfirmed', 'failed', 'expired') AND changed_at < %(before)s
"""
_MAILS: Final = """
DELETE FROM deliveries_mail
WHERE id IN (
    SELECT m.id FROM deliveries_mail m
    WHERE m.finished_at < %(before)s
      AND NOT EXISTS (SELECT FROM deliveries_delivery d WHERE d.mail_id = m.id)
    LIMIT %(most)s FOR UPDATE SKIP LOCKED
) AND finished_at < %(before)s
"""


def prune_deliveries(*, before: datetime, most: int) -> int:
    """Delete at most so many final rows that have not changed since `before`; how many were."""
    return _delete(_DELIVERIES, before, most)


def prune_mails(*, before: datetime, most: int) -> int:
    """Delete at most so many mails that ended before `before` and carry no row; how many were."""
    return _delete(_MAILS, before, most)


def _delete(statement: str, before: datetime, most: int) -> int:
    params: dict[str, Any] = {"before": before, "most": most}
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        changed: int = cursor.rowcount
    return changed

"""Erasing what the ledger holds of one user, whose account is deleted."""

from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Max

from accounts.boundaries import commit
from deliveries.models import Delivery

_MAILS_FIRST: Final = "SELECT FROM deliveries_mail WHERE user_id = %s ORDER BY id FOR UPDATE"
_DELIVERIES: Final = "DELETE FROM deliveries_delivery WHERE user_id = %s"
_MAILS: Final = "DELETE FROM deliveries_mail WHERE user_id = %s"


def seen_until(user_id: str, *, now: datetime) -> datetime:
    """Until when the jobs are dated that this user may have seen: now, or later when a clock that
    was ahead has dated one."""
    rows = Delivery.objects.filter(user_id=user_id)
    newest: datetime | None = rows.aggregate(newest=Max("job__dated_at"))["newest"]
    return max(now, newest or now)


def erase(user_id: str) -> int:
    """Delete every row and mail of a user, whatever its status; how many rows were.

    Waits for a digest that is being sent.  An alert may be leaving: its sender then finds nothing
    to mark.  Call it in the transaction that deletes the user, with the account locked, so that
    nothing is queued or claimed meanwhile.
    """
    with commit("ledger: erase"), connection.cursor() as cursor:
        cursor.execute(_MAILS_FIRST, [user_id])
        cursor.execute(_DELIVERIES, [user_id])
        rows: int = cursor.rowcount
        cursor.execute(_MAILS, [user_id])
    return rows

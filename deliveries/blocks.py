"""Taking users in blocks, those waiting longest first."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from django.db import connection

from accounts.models import Preferences

BLOCK: Final = 500

# The stamp is committed before the visit: a user who kills the process comes last next time, and
# other workers pass over the block.  Stamps follow the real clock whatever the run's clock says.
_TAKE: Final = """
WITH block AS (
    SELECT p.user_id FROM accounts_preferences p
    WHERE (p.visited_at IS NULL OR p.visited_at < %(started)s)
      AND (%(user)s::text IS NULL OR p.user_id = %(user)s)
    ORDER BY p.visited_at NULLS FIRST, p.user_id
    LIMIT %(size)s
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE accounts_preferences p SET visited_at = clock_timestamp()
FROM block, accounts_user u
WHERE p.user_id = block.user_id AND u.uid = p.user_id
RETURNING p.user_id,
    u.is_active
    AND (p.paused_until IS NULL OR p.paused_until <= %(now)s)
    AND NOT EXISTS (SELECT FROM accounts_suppression s WHERE s.user_id = p.user_id)
"""


def take_block(
    *, started: datetime, now: datetime, user_id: str | None = None, size: int = BLOCK
) -> dict[str, bool] | None:
    """The next users not visited since `started` (real time), stamped; None when all were.

    The value says whether the user is to be matched: active, not paused, not opted out.
    """
    params = {"started": started, "now": now, "user": user_id, "size": size}
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, params)
        taken = dict(cursor.fetchall())
    return dict(sorted(taken.items())) or None


def waiting(*, started: datetime, user_id: str | None = None) -> int:
    """How many users were not visited since `started`."""
    rows = Preferences.objects.exclude(visited_at__gte=started)
    return (rows.filter(pk=user_id) if user_id else rows).count()


def blocks(
    *, started: datetime, now: datetime, user_id: str | None = None, size: int = BLOCK
) -> Iterator[dict[str, bool]]:
    """Blocks until every user was visited since `started`."""
    while block := take_block(started=started, now=now, user_id=user_id, size=size):
        yield block

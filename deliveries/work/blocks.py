"""Taking users in blocks, those waiting longest first."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from django.db import connection

from accounts.boundaries import commit
from accounts.models import Preferences

BLOCK: Final = 500

# Stamp and visit are committed before anything is done: a user who kills the process comes last
# next time, and other workers pass over the block.  Stamps follow the real clock whatever the run's
# clock says; one from the future was made by a wrong clock and does not count.
_TAKE: Final = """
WITH block AS (
    SELECT p.user_id FROM accounts_preferences p
    WHERE (p.visited_at IS NULL OR p.visited_at < %(started)s OR p.visited_at > clock_timestamp())
      AND (%(user)s::text IS NULL OR p.user_id = %(user)s)
      AND EXISTS (SELECT FROM deliveries_visit v WHERE v.user_id = p.user_id) = %(interrupted)s
    ORDER BY p.visited_at NULLS FIRST, p.user_id
    LIMIT %(size)s
    FOR NO KEY UPDATE SKIP LOCKED
), begun AS (
    INSERT INTO deliveries_visit (user_id) SELECT user_id FROM block ORDER BY user_id
    ON CONFLICT DO NOTHING
)
UPDATE accounts_preferences p SET visited_at = statement_timestamp()
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

    The value says whether the user is to be matched: active, not paused, not opted out.  Users
    whose last visit never ended come after all others, one at a time: whoever of them kills the
    process does so alone.
    """
    common = {"started": started, "now": now, "user": user_id}
    for interrupted, most in ((False, size), (True, 1)):
        with commit("visit: begin", durable=True), connection.cursor() as cursor:
            cursor.execute(_TAKE, {**common, "interrupted": interrupted, "size": most})
            if taken := dict(cursor.fetchall()):
                return dict(sorted(taken.items()))
    return None


def end_visit(users: Iterable[str]) -> None:
    """Note that nothing killed the process during the visit to these users."""
    with commit("visit: end"), connection.cursor() as cursor:
        cursor.execute("DELETE FROM deliveries_visit WHERE user_id = ANY(%s)", [list(users)])


def waiting(*, started: datetime, user_id: str | None = None) -> int:
    """How many users were not visited since `started`."""
    rows = Preferences.objects.exclude(visited_at__gte=started)
    return (rows.filter(pk=user_id) if user_id else rows).count()


def blocks(
    *, started: datetime, now: datetime, user_id: str | None = None, size: int = BLOCK
) -> Iterator[dict[str, bool]]:
    """Block after block until everybody was visited; end each visit with `end_visit`."""
    while block := take_block(started=started, now=now, user_id=user_id, size=size):
        yield block

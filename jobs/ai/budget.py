"""Money: reserved in the database before a call is made, settled after it.

A process killed in between leaves the reservation, which counts as spent for that day.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from django.db import connection
from django.db.models import Sum

from accounts.boundaries import commit
from jobs.models import AiSpending

OF_ALL: Final = "the day's budget is reached"
OF_USER: Final = "a user's budget of the day is reached"

# Rows of the day before they are locked: the installation's has no user.
_OPEN: Final = """
INSERT INTO jobs_aispending (day, user_id)
SELECT %(day)s, owner.uid
FROM (SELECT NULL AS uid UNION ALL
      SELECT uid FROM (SELECT uid FROM accounts_user WHERE uid = %(user)s FOR KEY SHARE) u) owner
ORDER BY owner.uid NULLS FIRST
ON CONFLICT DO NOTHING
"""
# The installation's first, as everywhere.  A statement of its own: what the next one reads is then
# what the last holder of these locks has left.
_LOCK: Final = """
SELECT FROM jobs_aispending
WHERE day = %(day)s AND (user_id IS NULL OR user_id = %(user)s)
ORDER BY user_id NULLS FIRST FOR NO KEY UPDATE
"""
# One statement: only when the amount fits into both rows, and the user lets a provider be asked, is
# anything written.
_RESERVE: Final = """
WITH allowed AS (
    SELECT EXISTS (SELECT FROM accounts_preferences
                   WHERE user_id = %(user)s AND ai_allowed) AS yes
), days AS (
    SELECT id, user_id IS NULL AS whole,
           spent_usd + reserved_usd + %(usd)s
               <= CASE WHEN user_id IS NULL THEN %(limit)s ELSE %(own_limit)s END AS fits
    FROM jobs_aispending WHERE day = %(day)s AND (user_id IS NULL OR user_id = %(user)s)
), told AS (
    SELECT (SELECT yes FROM allowed) AS allowed,
           COALESCE(bool_and(fits) FILTER (WHERE whole), false) AS whole,
           COALESCE(bool_and(fits) FILTER (WHERE NOT whole), false) AS own
    FROM days
), taken AS (
    UPDATE jobs_aispending s
    SET reserved_usd = s.reserved_usd + %(usd)s,
        limit_usd = CASE WHEN s.user_id IS NULL THEN %(limit)s ELSE %(own_limit)s END
    FROM days, told WHERE s.id = days.id AND told.allowed AND told.whole AND told.own
), noted AS (
    INSERT INTO jobs_aicall (user_id, day, scorer, prompt, jobs, reserved_usd, asked_at)
    SELECT %(user)s, %(day)s, %(scorer)s, %(prompt)s, %(jobs)s, %(usd)s, %(now)s
    FROM told WHERE told.allowed AND told.whole AND told.own
    RETURNING id
)
SELECT told.allowed, told.whole, told.own, (SELECT id FROM noted) FROM told
"""
# The user first, as whoever deletes or moves the account.
_SETTLE: Final = """
WITH who AS (
    SELECT u.uid FROM accounts_user u JOIN jobs_aicall c ON c.user_id = u.uid
    WHERE c.id = %(call)s FOR KEY SHARE OF u
), done AS (
    UPDATE jobs_aicall SET outcome = %(outcome)s, tokens_in = %(tokens_in)s,
        tokens_out = %(tokens_out)s, cost_usd = %(usd)s, settled_at = %(now)s
    WHERE id = %(call)s AND outcome = '' AND EXISTS (SELECT FROM who)
    RETURNING day, user_id, reserved_usd
), days AS (
    SELECT s.id, done.reserved_usd FROM jobs_aispending s JOIN done
        ON s.day = done.day AND (s.user_id IS NULL OR s.user_id = done.user_id)
    ORDER BY s.user_id NULLS FIRST FOR NO KEY UPDATE OF s
)
UPDATE jobs_aispending s
SET reserved_usd = s.reserved_usd - days.reserved_usd,
    spent_usd = s.spent_usd + %(usd)s,
    over_usd = s.over_usd + GREATEST(%(usd)s - days.reserved_usd, 0)
FROM days WHERE s.id = days.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """US dollars a day: of the installation, and of each user."""

    daily: Decimal
    user_daily: Decimal


@dataclass(frozen=True, slots=True)
class Reservation:
    """A call that may be made; or, without a `call`, why not: a reason, "" when the user does not
    want it or is gone."""

    call: int | None
    reason: str = ""


def reserve(
    user_id: str,
    usd: Decimal,
    limits: Limits,
    *,
    scorer: str,
    prompt: str,
    jobs: int,
    now: datetime,
) -> Reservation:
    """Set so many US dollars of today (UTC) aside, before a call about `jobs` jobs.

    Committed when it returns: never call it in a transaction.
    """
    params: dict[str, Any] = {
        "user": user_id,
        "usd": usd,
        "limit": limits.daily,
        "own_limit": limits.user_daily,
        "scorer": scorer,
        "prompt": prompt,
        "jobs": jobs,
        "day": now.date(),
        "now": now,
    }
    with commit("ai: reserve", durable=True), connection.cursor() as cursor:
        cursor.execute(_OPEN, params)
        cursor.execute(_LOCK, params)
        cursor.execute(_RESERVE, params)
        allowed, whole, own, call = cursor.fetchone() or (False, False, False, None)
    if call is not None or not allowed:
        return Reservation(call)
    return Reservation(None, _reason(whole=whole, own=own))


def _reason(*, whole: bool, own: bool) -> str:
    if not whole:
        return OF_ALL
    return "" if own else OF_USER


def settle(
    call: int, usd: Decimal, *, outcome: str, tokens_in: int, tokens_out: int, now: datetime
) -> None:
    """Replace a reservation by what the call cost; the second time nothing changes."""
    params: dict[str, Any] = {
        "call": call,
        "usd": usd,
        "outcome": outcome[:200],
        "tokens_in": tokens_in,
        "tokens_out": tokens_out,
        "now": now,
    }
    with commit("ai: settle", durable=True), connection.cursor() as cursor:
        cursor.execute(_SETTLE, params)


def of_day(now: datetime) -> tuple[Decimal, Decimal]:
    """US dollars spent and still reserved by the installation on that day (UTC)."""
    rows = AiSpending.objects.filter(day=now.date(), user=None)
    sums = rows.aggregate(spent=Sum("spent_usd"), reserved=Sum("reserved_usd"))
    return sums["spent"] or Decimal(0), sums["reserved"] or Decimal(0)

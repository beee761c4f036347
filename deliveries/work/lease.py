"""The lease around a scan: a lock that is a time, by the database's clock."""

import secrets
from typing import Any, Final

from django.db import connection

from accounts.boundaries import commit

# A lease that ends well after any taken now was taken by a wrong clock, and does not count.  The
# clock is read after the wait for another taker, not when our own row was made.
_TAKE: Final = """
INSERT INTO deliveries_lease (name, token, until)
VALUES (%(name)s, %(token)s, clock_timestamp() + %(seconds)s * interval '1 second')
ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token, until = EXCLUDED.until
WHERE deliveries_lease.until <= clock_timestamp()
   OR deliveries_lease.until > clock_timestamp() + (%(seconds)s + 60) * interval '1 second'
RETURNING token
"""
_HELD: Final = """
SELECT FROM deliveries_lease
WHERE name = %(name)s AND until > clock_timestamp()
  AND until <= clock_timestamp() + (%(seconds)s + 60) * interval '1 second'
"""
_RELEASE: Final = "DELETE FROM deliveries_lease WHERE name = %s AND token = %s"


def take(name: str, seconds: int) -> str | None:
    """Take the lease for so many seconds; its token, or None while somebody holds it.

    With 0 seconds the lease is off: everybody gets an empty token.
    """
    if seconds <= 0:
        return ""
    params: dict[str, Any] = {"name": name, "token": secrets.token_hex(16), "seconds": seconds}
    with commit("lease: take"), connection.cursor() as cursor:
        cursor.execute(_TAKE, params)
        row = cursor.fetchone()
    return row[0] if row else None


def release(name: str, token: str) -> bool:
    """Give the lease back; only the token that took it can, so a late release harms nobody."""
    with commit("lease: release"), connection.cursor() as cursor:
        cursor.execute(_RELEASE, [name, token])
        return bool(cursor.rowcount)


def is_held(name: str, seconds: int) -> bool:
    """Whether `take` would get None just now."""
    if seconds <= 0:
        return False
    with connection.cursor() as cursor:
        cursor.execute(_HELD, {"name": name, "seconds": seconds})
        return cursor.fetchone() is not None

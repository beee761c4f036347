"""What the cache holds of a user: tries that were counted, and codes of a second factor in use.

Their keys hold the user's key, or a plain hash of the address; they count for an hour at most.
"""

import hashlib
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.boundaries import commit
from accounts.identity import email_of

_FORGET: Final = "DELETE FROM {table} WHERE cache_key ~ %s"
_OVER: Final = "DELETE FROM {table} WHERE expires < %s"


def forget(user_id: str) -> int:
    """Delete what was counted of a user and the address; how many rows went."""
    with commit("tries: forget"):
        return _execute(_FORGET, _pattern(user_id))


def prune() -> int:
    """Delete what counts no more, of everybody; how many rows went."""
    with commit("tries: prune"):
        return _execute(_OVER, timezone.now())


def _pattern(user_id: str) -> str:
    """The user's key as a word of its own, or the hash that allauth makes of an address."""
    address = hashlib.sha256(email_of(user_id).encode()).hexdigest()
    return rf"(^|[^A-Za-z0-9_-])({user_id}|{address})($|[^A-Za-z0-9_-])"


def _execute(statement: str, value: str | datetime) -> int:
    table = connection.ops.quote_name(str(settings.CACHES["default"]["LOCATION"]))
    with connection.cursor() as cursor:
        cursor.execute(statement.format(table=table), [value])
        rows: int = cursor.rowcount
    return rows

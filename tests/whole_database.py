"""The whole database at once: which tables there are, and what of somebody is left in them."""

import base64
import binascii
import re
import zlib
from contextlib import suppress

from django.db import connection

_TABLES = """
SELECT c.relname FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  AND c.relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission')
ORDER BY 1
"""
# Every column that a foreign key ties to users, directly or through another such key.
_HOLDING_USERS = """
WITH RECURSIVE ties AS (
    SELECT c.conrelid AS tab, c.conkey[1] AS col FROM pg_constraint c
    WHERE c.contype = 'f' AND c.confrelid = 'accounts_user'::regclass
    UNION
    SELECT c.conrelid, c.conkey[1] FROM pg_constraint c
    JOIN ties ON c.confrelid = ties.tab AND c.confkey[1] = ties.col
    WHERE c.contype = 'f'
)
SELECT tab::regclass::text, a.attname FROM ties
JOIN pg_attribute a ON a.attrelid = ties.tab AND a.attnum = ties.col
"""


def tables() -> list[str]:
    """Every table that holds rows of ours."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return [name for (name,) in cursor.fetchall()]


def columns_tied_to_users() -> set[tuple[str, str]]:
    """Table and column of every foreign key that follows a user's key, as PostgreSQL knows them."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLDING_USERS)
        return {(table, column) for table, column in cursor.fetchall()}


def mentions(text: str) -> dict[str, int]:
    """In how many rows of which tables a text stands, as a word of its own, in any column."""
    pattern = rf"(^|[^A-Za-z0-9]){re.escape(text)}($|[^A-Za-z0-9-])"
    found = {}
    with connection.cursor() as cursor:
        for table in tables():
            cursor.execute(f'SELECT count(*) FROM "{table}" AS r WHERE r::text ~ %s', [pattern])
            found[table] = cursor.fetchone()[0]
    return {table: count for table, count in found.items() if count}


def says(*words: str) -> set[tuple[str, str]]:
    """Table and word for each of these words that stands somewhere, any part of any value, also
    in bytes, in a session's data, and in what a task was given or came to."""
    found = set()
    with connection.cursor() as cursor:
        for table in tables():
            cursor.execute(f'SELECT r.* FROM "{table}" AS r')
            text = "\n".join(_plain(value) for row in cursor for value in row).lower()
            found |= {(table, word) for word in words if word.lower() in text}
    return found


def _plain(value: object) -> str:
    """A value as text; what is written as base64 is opened, packed or not."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    text = str(value)
    return text + "".join(_opened(part) for part in re.split(r"[^A-Za-z0-9+/_=-]", text))


def _opened(part: str) -> str:
    if len(part) < 8:
        return ""
    try:
        raw = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_")
    except binascii.Error:
        return ""
    with suppress(zlib.error):
        raw = zlib.decompress(raw)
    return raw.decode("utf-8", "replace")

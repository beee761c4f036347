"""The whole database at once: what of somebody is left in it, and a backup that is put back."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection

_TABLES = """
SELECT c.relname FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  AND c.relname NOT IN ('django_migrations', 'django_content_type', 'auth_permission')
ORDER BY 1
"""
_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
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


@contextmanager
def backup() -> Iterator[Callable[[], None]]:
    """Copy every table now; what is yielded puts the copies back, as restoring a backup does."""
    names = tables()
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA backup")
        for name in names:
            cursor.execute(f'CREATE TABLE backup."{name}" AS TABLE public."{name}"')
    try:
        yield lambda: _put_back(names)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA backup CASCADE")


def _put_back(names: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no trigger, no foreign key
        for name in names:
            cursor.execute(_COLUMNS, [f'public."{name}"'])
            [columns] = cursor.fetchone()
            cursor.execute(f'DELETE FROM public."{name}"')
            cursor.execute(
                f'INSERT INTO public."{name}" ({columns}) SELECT {columns} FROM backup."{name}"'
            )
        cursor.execute("SET session_replication_role = DEFAULT")

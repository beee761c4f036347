"""The database's clock in our hands: what PostgreSQL says the time is, for all connections.

A schema that stands before `pg_catalog` in the search path holds functions named as PostgreSQL's
own.  They show a moment that tests set and that goes on by a millisecond at every look, so that a
run takes time, and the same run takes the same time again.  A sequence holds it, in milliseconds
since 1970.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.db.backends.signals import connection_created

_PATH: Final = "SET search_path = moved_clock, public, pg_catalog"
_SCHEMA: Final = """
DROP SCHEMA IF EXISTS moved_clock CASCADE;
CREATE SCHEMA moved_clock;
CREATE SEQUENCE moved_clock.looks;
CREATE FUNCTION moved_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT pg_catalog.to_timestamp(pg_catalog.nextval('moved_clock.looks') / 1000.0) $$;
CREATE FUNCTION moved_clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT moved_clock.clock_timestamp() $$;
"""


@contextmanager
def moved_clock() -> Iterator[None]:
    """While inside, every new connection of this process sees the moved clock."""
    with connection.cursor() as cursor:
        cursor.execute(_SCHEMA)
    connection_created.connect(_look_there)
    connection.close()
    try:
        yield
    finally:
        connection_created.disconnect(_look_there)
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute("DROP SCHEMA moved_clock CASCADE")


def set_moment(at: datetime) -> None:
    """Let the clock show `at` from now on, for everybody at once: no transaction holds it back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval('moved_clock.looks', %s)", [round(at.timestamp() * 1000)])


def _look_there(*, connection: Any, **_: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_PATH)

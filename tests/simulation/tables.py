"""All rows at once: deleted between examples, kept as a backup and put back, compared."""

from functools import cache
from io import BytesIO
from typing import Any

from django.db import connection

from accounts.models import Preferences
from deliveries.models import Delivery, Mail
from jobs.models import Job, SourceState, Verdict
from jobs.scoring import offer
from tests import whole_database

_tables = cache(whole_database.tables)  # asked thousands of times, and no example makes one


def wipe() -> None:
    """Delete every row: much cheaper than a flush, which truncates."""
    statements = [f"DELETE FROM {table};" for table in _tables()]
    with connection.cursor() as cursor:
        cursor.execute(_unchecked("".join(statements)))


def backup() -> dict[str, bytes]:
    """Every row of every table, as a dump of the database would hold them."""
    kept: dict[str, bytes] = {}
    with connection.cursor() as cursor:
        for table in _tables():
            with cursor.copy(f"COPY {table} ({columns(table)}) TO STDOUT") as rows:
                kept[table] = b"".join(bytes(part) for part in rows)
    return kept


def restore(kept: dict[str, bytes]) -> None:
    """Put a backup in the place of what there is."""
    offer.forget()  # what a process knew of other rows
    wipe()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        for table, rows in kept.items():
            if rows:
                with cursor.copy(f"COPY {table} ({columns(table)}) FROM STDIN") as into:
                    into.write(BytesIO(rows).read())
        cursor.execute("SET session_replication_role = DEFAULT")


def what_counts() -> dict[str, list[Any]]:
    """The rows that a run at rest must leave as they are."""
    found: dict[str, list[Any]] = {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (Job, Verdict, Delivery, Mail)
    }
    preferences = Preferences.objects.order_by("pk").values("pk", "last_digest_on", "mode")
    sources = SourceState.objects.order_by("pk").values("name", "state", "watermark")
    found["Preferences"], found["SourceState"] = list(preferences), list(sources)
    return found


def _unchecked(statements: str) -> str:
    return (
        "SET session_replication_role = replica;"
        f"{statements} SET session_replication_role = DEFAULT"
    )


_known_columns: dict[str, str] = {}


def columns(table: str) -> str:
    """The columns that are stored as given, not generated."""
    if table not in _known_columns:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns"
                " WHERE table_schema = 'public' AND table_name = %s AND is_generated = 'NEVER'",
                [table],
            )
            _known_columns[table] = cursor.fetchone()[0]
    return _known_columns[table]

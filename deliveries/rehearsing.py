"""The essay's own test, on the present data: do it twice, and see whether anybody could tell."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.db import connection, models
from psycopg import IsolationLevel

from accounts.boundaries import commit
from accounts.models import Preferences, Search, Suppression, User
from deliveries import digest, scan
from deliveries.models import Delivery, Lease, Mail, MailProvider, Run, WantedRun
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.models import InboxMessage, InboxSender, Job, QuarantinedRow, Verdict

# What no scan without a fetch reads; a provider that is down today must not cut the rehearsal.
_LEFT_OUT: Final = {Lease, MailProvider, Run, WantedRun, InboxMessage, InboxSender, QuarantinedRow}
# What a second run may not change, but for the times of visits.
_COUNTING: Final = (Delivery, Mail, Verdict, Job, User, Search, Preferences, Suppression)
_MAY_MOVE: Final = {"visited_at"}
_SEQUENCES: Final = """
    SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL
"""


@dataclass(frozen=True)
class StandingClock(Clock):
    """A clock that does not move, so that no digest falls due between the two runs."""

    moment: datetime = datetime.min

    def now(self) -> datetime:
        """Always the same moment."""
        return self.moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """Both runs in numbers, and the tables in which the second one changed a row that counts."""

    first: dict[str, Any]
    second: dict[str, Any]
    changed: tuple[str, ...]

    @property
    def told(self) -> bool:
        """Whether the second run could be told from the first by anybody."""
        return bool(self.changed or self.second["mails_sent"])


@contextmanager
def source_rows() -> Iterator[Any]:
    """A cursor on the present database that sees it as it is now and changes nothing."""
    source = connection.get_new_connection(connection.get_connection_params())
    try:
        source.isolation_level, source.read_only = IsolationLevel.REPEATABLE_READ, True
        with source.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            cursor.execute("SELECT 1")  # the first query is what fixes the moment
            yield cursor
    finally:
        source.close()


def fill(source: Any) -> None:
    """Copy every row that a scan or a digest reads into the present database, a scratch one."""
    with commit("rehearse: copy", durable=True), connection.cursor() as cursor:
        for model in _copied():
            _refill(model, source, cursor)
        _set_sequences(source, cursor)
    with commit("rehearse: arm triggers", durable=True), connection.cursor() as cursor:
        for model in _copied():
            cursor.execute(f'ALTER TABLE "{model._meta.db_table}" ENABLE TRIGGER USER')


def rehearse(*, now: datetime, wall: Wall) -> Rehearsed:
    """Scan and digest twice at `now` in the present database, which must be a scratch copy.

    Nothing is fetched, no model is asked, and the mail backend is the caller's to make harmless.
    """
    clock = StandingClock(moment=now)
    first = _once(clock, wall)
    before = _rows()
    second = _once(clock, wall)
    after = _rows()
    return Rehearsed(
        first=first,
        second=second,
        changed=tuple(name for name, rows in before.items() if rows != after[name]),
    )


def _copied() -> list[type[models.Model]]:
    labels = ("accounts", "jobs", "deliveries")
    found = [model for label in labels for model in apps.get_app_config(label).get_models()]
    return [model for model in found if not model._meta.proxy and model not in _LEFT_OUT]


def _refill(model: type[models.Model], source: Any, cursor: Any) -> None:
    """The source's rows of a table, and no others, with its triggers asleep."""
    table = f'"{model._meta.db_table}"'
    stored = [f'"{f.column}"' for f in model._meta.concrete_fields if not f.generated]
    what = f"{table} ({', '.join(stored)})"
    cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    cursor.execute(f"DELETE FROM {table}")  # noqa: S608 -- names of ours
    with (
        source.copy(f"COPY {what} TO STDOUT (FORMAT BINARY)") as rows,
        cursor.copy(f"COPY {what} FROM STDIN (FORMAT BINARY)") as kept,
    ):
        for chunk in rows:
            kept.write(chunk)


def _set_sequences(source: Any, cursor: Any) -> None:
    source.execute(_SEQUENCES)
    for name, value in source.fetchall():
        cursor.execute("SELECT setval(to_regclass(%s), %s)", [name, value])


def _once(clock: Clock, wall: Wall) -> dict[str, Any]:
    options = scan.ScanOptions(work_only=True, local_only=True)
    found, mailed = scan.scan(clock, wall, options), digest.digest(clock, wall)
    both = {"candidates": found.candidates, "verdicts": found.verdicts, "queued": found.queued}
    for name in ("mails_sent", "jobs_sent", "expired", "failed", "unconfirmed", "errors"):
        both[name] = getattr(found, name) + getattr(mailed, name)
    return {**both, "users_left": found.users_left + mailed.users_left}


def _rows() -> dict[str, list[tuple[Any, ...]]]:
    """Every row that counts, by table."""
    return {
        model._meta.db_table: list(
            model._base_manager.order_by("pk").values_list(
                *(f.attname for f in model._meta.concrete_fields if f.attname not in _MAY_MOVE)
            )
        )
        for model in _COUNTING
    }

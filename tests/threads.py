"""Several database connections at once, one a thread."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier
from typing import Any

from django.db import connection, transaction

PATIENCE = 10.0


def on_own_connection(function: Callable[[], Any]) -> Any:
    """Call it in this thread and close the thread's connection afterwards.

    Waiting too long for a lock raises OperationalError: a test that goes wrong fails, and ends.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        return function()
    finally:
        connection.close()


@contextmanager
def aside(*functions: Callable[[], Any]) -> Iterator[list["Future[Any]"]]:
    """Each function runs in a thread of its own, all started together, joined at the end."""
    barrier = Barrier(len(functions))

    def run(function: Callable[[], Any]) -> Any:
        barrier.wait(PATIENCE)
        return on_own_connection(function)

    with ThreadPoolExecutor(len(functions)) as pool:
        yield [pool.submit(run, function) for function in functions]


def together(*functions: Callable[[], Any]) -> list[Any]:
    """Their answers, or what they raised."""
    with aside(*functions) as futures:
        return [future.exception(PATIENCE) or future.result() for future in futures]


def behind(
    lock: Callable[[], Any], *functions: Callable[[], Any], then: Callable[[], Any] | None = None
) -> list[Any]:
    """Their answers, when all wait for a transaction: `lock` runs in it, `then`, and it commits."""
    with ThreadPoolExecutor(len(functions)) as pool:
        with transaction.atomic():
            lock()
            futures = [pool.submit(on_own_connection, function) for function in functions]
            wait_for_waiting(len(functions))
            if then is not None:
                then()
        return [future.exception(PATIENCE) or future.result() for future in futures]


def wait_for_waiting(count: int) -> None:
    """Return once so many connections to this database wait for a lock."""
    asked = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    until = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < until:
            # Else a transaction sees one snapshot of the activity until it ends.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(asked)
            if cursor.fetchone()[0] >= count:
                return
            time.sleep(0.01)
    raise AssertionError(f"not {count} connections wait for a lock")

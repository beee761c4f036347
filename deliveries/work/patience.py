"""Waiting for others, and saying so when the wait was too long."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError
from psycopg.errors import DeadlockDetected, LockNotAvailable


class BusyError(Exception):
    """Somebody else is at work on the same rows, and nothing was changed: try again later."""


@contextmanager
def told_when_busy(what: str) -> Iterator[None]:
    """Raise BusyError, which names `what`, when the database's lock_timeout passed inside.

    Put it around the transaction, which is then undone.
    """
    try:
        yield
    except OperationalError as error:
        if not isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
            raise
        raise BusyError(
            f"{what} is in use at this moment, and nothing was changed: try again in some minutes."
        ) from error

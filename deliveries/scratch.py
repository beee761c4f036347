"""A database of its own for a measurement or a rehearsal, gone afterwards."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import ProgrammingError, connection

from accounts.boundaries import effect


class NoScratchError(Exception):
    """No database could be made; the message says what to do."""


@contextmanager
def scratch_database(purpose: str) -> Iterator[str]:
    """Everything inside uses an empty, migrated database on the same server; its name, which tells
    the purpose.

    The real one is not touched, nor is anybody mailed.  Raises NoScratchError.
    """
    real = str(connection.settings_dict["NAME"])
    name = f"{real[:40]}_{purpose}_{os.getpid()}"
    before: dict[str, Any] = {
        "test": connection.settings_dict["TEST"]["NAME"],
        "debug": settings.DEBUG,
        "mail": settings.EMAIL_BACKEND,
    }
    connection.settings_dict["TEST"]["NAME"] = name
    settings.DEBUG = False  # which keeps every query, text and all
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    try:
        _make()
        yield name
    finally:
        with effect("scratch: drop database"):
            if connection.settings_dict["NAME"] == name:
                connection.creation.destroy_test_db(real, verbosity=0)
        connection.settings_dict["TEST"]["NAME"] = before["test"]
        settings.DEBUG, settings.EMAIL_BACKEND = before["debug"], before["mail"]


def _make() -> None:
    try:
        with effect("scratch: make database"):
            connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    except (SystemExit, ProgrammingError):
        raise NoScratchError(
            "The server refuses to make a scratch database: run this as a database user who may"
            " create databases, or without DATABASE_URL."
        ) from None

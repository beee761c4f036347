"""The embedded server's tables: brought up to date before a command, at almost no cost after."""

import fcntl
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from scout_project import postgres, postgres_files


def bring_up_to_date() -> None:
    """Run `migrate` on the embedded database, unless nothing it depends on changed since.

    Safe to call from several processes at once. Raises PostgresError.
    """
    if _is_current():
        return
    with _only_one():
        if _is_current():
            return
        print("Bringing the local database up to date …", file=sys.stderr)
        fingerprint = _fingerprint()
        try:
            django.setup()
            call_command("migrate", interactive=False, verbosity=0)
            call_command("createcachetable", verbosity=0)
        except (DatabaseError, CommandError, InconsistentMigrationHistory) as error:
            raise postgres.PostgresError(
                f"The tables in {postgres.data_dir()} cannot be brought up to date: {error}."
                " To begin anew without its data: `./dev stop`, then delete that directory."
            ) from error
        _remember(fingerprint)


def forget() -> None:
    """Look at the migrations again next time."""
    _stamp().unlink(missing_ok=True)


def _is_current() -> bool:
    try:
        return _stamp().read_text() == _fingerprint()
    except OSError:
        return False


def _fingerprint() -> str:
    """Changes with our migrations, the settings, the installed packages and the data directory."""
    digest = hashlib.sha256()
    sources = sorted(postgres.ROOT.glob("*/migrations/*.py"))
    for path in [*sources, Path(__file__).with_name("settings.py")]:
        digest.update(f"{path.parent}/{path.name}\n".encode())
        digest.update(path.read_bytes())
    packages = Path(django.__file__).parent.parent.glob("*.dist-info")
    digest.update("\n".join(sorted(path.name for path in packages)).encode())
    made = (postgres.data_dir() / "PG_VERSION").stat()
    digest.update(f"{made.st_ino} {made.st_mtime_ns}".encode())
    return digest.hexdigest()


def _stamp() -> Path:
    return postgres.var_dir() / "postgres.migrated"


def _remember(fingerprint: str) -> None:
    with open(postgres_files.open_owned(_stamp()), "w") as stamp:
        stamp.write(fingerprint)
        stamp.truncate()


@contextmanager
def _only_one() -> Iterator[None]:
    lock = postgres_files.open_owned(postgres.var_dir() / "postgres.migrating")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)

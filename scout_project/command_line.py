"""What surrounds a management command: a database that answers, and plain words when none does."""

import os
import sys
from urllib.parse import urlsplit

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError
from environs import EnvError, env

from scout_project import local_database, postgres

WITHOUT_DATABASE = frozenset(
    "check collectstatic compilemessages diffsettings evaluate findstatic help makemessages"
    " sendtestemail startapp startproject testserver version".split()
)
WITHOUT_MIGRATIONS = frozenset(
    "dbshell makemigrations migrate optimizemigration showmigrations sqlmigrate squashmigrations"
    " test".split()
)


def run(argv: list[str]) -> None:
    """Run `argv` as Django does. With the embedded server, start it and migrate it first.

    Ends the process with one sentence when the database cannot be used.
    """
    try:
        _check_url(env.str("DATABASE_URL", ""))
        if _wants_database(argv) and _is_embedded():
            _prepare(argv[1])
        execute_from_command_line(argv)
    except (postgres.PostgresError, EnvError, ImproperlyConfigured) as error:
        sys.exit(str(error))
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing may be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ProgrammingError as error:
        if not _lacks_tables(error):
            raise
        sys.exit(
            "The database does not have the tables of this version:"
            " run `manage.py migrate` and `manage.py createcachetable` first."
        )
    except OperationalError as error:
        if not _is_unreachable(error):
            raise
        sys.exit(_unreachable(error))


def _wants_database(argv: list[str]) -> bool:
    if len(argv) < 2 or argv[1].startswith("-") or {"--help", "-h"} & set(argv[2:]):
        return False
    return argv[1] not in WITHOUT_DATABASE or any(a.startswith("--database") for a in argv[2:])


def _is_embedded() -> bool:
    host: object = settings.DATABASES["default"].get("HOST")
    return host == str(postgres.socket_dir(postgres.data_dir()))


def _prepare(command: str) -> None:
    fresh = postgres.ensure_running()
    if fresh or command == "migrate":
        local_database.forget()
    if command not in WITHOUT_MIGRATIONS:
        local_database.bring_up_to_date()


def _check_url(url: str) -> None:
    """Refuse what cannot be a PostgreSQL URL, without repeating it: it may hold a password."""
    if not url:
        return
    try:
        parts = urlsplit(url)
        good = parts.scheme in {"postgres", "postgresql"} and len(parts.path) > 1
        good = good and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise postgres.PostgresError(
            "DATABASE_URL is malformed: it reads postgresql://USER:PASSWORD@HOST:PORT/DATABASE,"
            " with special characters in the password percent-encoded."
        )


def _lacks_tables(error: ProgrammingError) -> bool:
    missing = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn)
    return isinstance(error.__cause__, missing)


def _is_unreachable(error: OperationalError) -> bool:
    cause = error.__cause__
    return isinstance(cause, psycopg.OperationalError) and cause.sqlstate is None


def _unreachable(error: OperationalError) -> str:
    database = settings.DATABASES["default"]
    host = database.get("HOST") or database.get("OPTIONS", {}).get("host") or "the local socket"
    lines = str(error).strip().splitlines() or ["no reason given"]
    reason = lines[0].rsplit("failed: ", 1)[-1]
    return (
        f"The database {database.get('NAME')} at {host} cannot be used: {reason}."
        " Start that server, or correct DATABASE_URL, or unset it to use the embedded one."
    )

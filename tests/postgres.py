"""Early pytest plugin: before Django reads its settings, a PostgreSQL for the tests.

With DATABASE_URL set the suite uses that server; otherwise an embedded one of its own, which
stays up for the next run (`./dev stop` ends it). The workers of pytest-xdist inherit the answer.
Runs at the same time in one checkout get databases of different names.
"""

import fcntl
import os
from collections.abc import Generator

import pytest

from scout_project import postgres

PRODUCTION = {
    "SECRET_KEY": "a secret of the tests, long enough for Django, 0123456789 abcdefghij",
    "SITE_URL": "https://scout.test",
    "DEFAULT_FROM_EMAIL": "Upwork Scout <scout@scout.test>",
}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests() -> Generator[None, object, object]:
    """Set the environment the settings read, and start the server it names."""
    for name, value in PRODUCTION.items():
        os.environ.setdefault(name, value)
    if not os.environ.get("DATABASE_URL"):
        cluster = postgres.var_dir() / "postgres-test"
        try:
            postgres.ensure_running(cluster, durable=False)
        except postgres.PostgresError as error:
            raise pytest.UsageError(str(error)) from error
        os.environ["DATABASE_URL"] = postgres.dsn(cluster, f"scout_{_free_number()}")
    return (yield)


def _free_number() -> int:
    """A number no other run in this checkout has, held until this process ends."""
    number = 0
    while True:
        lock = os.open(postgres.var_dir() / f"postgres-test.run{number}", os.O_WRONLY | os.O_CREAT)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            number += 1
        else:
            return number

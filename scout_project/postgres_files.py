"""Locks, process ids, sockets and the log of the embedded server: its traces on the disk."""

import fcntl
import os
import signal
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 300  # seconds to wait for another process that starts the same server


class PostgresError(Exception):
    """One sentence for the user: what is missing or broken, and what to do about it."""


@contextmanager
def only_one(cluster: Path) -> Iterator[int]:
    """Let one process at a time start or stop the server over `cluster`; make its parent.

    Yields the lock's descriptor: a program that inherits it holds the lock until it ends too.

    Raises PostgresError, also in place of the body's OSError.
    """
    lock = -1
    try:
        _make_directory(cluster.parent)
        lock = open_owned(cluster.with_name(f"{cluster.name}.lock"))
        _wait_for(lock, cluster)
        yield lock
    except OSError as error:
        where = error.filename or cluster
        raise PostgresError(
            f"The embedded PostgreSQL cannot use {where}: {error.strerror}. Run as the owner of"
            f" {cluster.parent}, or set SCOUT_VAR to a directory you may write to."
        ) from error
    finally:
        if lock >= 0:
            os.close(lock)


def _make_directory(path: Path) -> None:
    if not path.exists():
        _make_directory(path.parent)
        path.mkdir(exist_ok=True)
        if os.geteuid() == 0:
            os.chown(path, path.parent.stat().st_uid, -1)


def _wait_for(lock: int, cluster: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not _lock_now(lock):
        if time.monotonic() > deadline:
            raise PostgresError(
                f"Another command has been starting or stopping the PostgreSQL over {cluster}"
                f" for {PATIENCE} seconds: end that one, then try again."
            )
        time.sleep(0.02)


def _lock_now(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_alive(cluster: Path) -> bool:
    """Whether any process of a server over `cluster` lives (each inherits the lock)."""
    descriptor = open_owned(alive_path(cluster))
    try:
        return not _lock_now(descriptor)
    finally:
        os.close(descriptor)


def launch(command: list[str], cluster: Path) -> None:
    """Start the server detached from this process and its terminal; it holds the alive lock."""
    log = log_path(cluster)
    if log.exists():
        log.replace(log.with_name(f"{log.name}.1"))
    os.close(open_owned(log))
    alive = open_owned(alive_path(cluster))
    try:
        _lock_now(alive)
        script = '"$@" </dev/null >>"$0" 2>&1 &'
        subprocess.run(
            ["/bin/sh", "-c", script, str(log), *command],
            pass_fds=[alive],
            start_new_session=True,
            env=environment(),
            cwd="/",
            umask=0o077,
            check=False,
        )
    finally:
        os.close(alive)


def halt(cluster: Path, socket_lock: Path) -> None:
    """End the living server over `cluster`: in good order, then at once. Raises PostgresError.

    One whose data were deleted is known by its socket only, and ends by itself in a minute.
    """
    pid = server_pid(cluster) or first_line_number(socket_lock)
    for number, patience in ((signal.SIGINT, 30), (signal.SIGQUIT, 45)):
        if pid is not None and _is_postgres(pid):
            os.kill(pid, number)
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if not is_alive(cluster):
                return
            time.sleep(0.02)
    raise PostgresError(
        f"The PostgreSQL over {cluster} does not stop (process {pid}):"
        " end its processes, then try again."
    )


def clear_socket_dir(directory: Path, lock: Path, uid: int) -> None:
    """Make the socket's directory ours alone, and empty. Raises PostgresError.

    A server that still listens there lost its data directory (somebody deleted it): it is ended.
    """
    directory.mkdir(mode=0o700, exist_ok=True)
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), uid}:
        raise PostgresError(
            f"{directory}, which the embedded PostgreSQL needs for its socket, belongs to the"
            f" user with id {found.st_uid}: remove it, or set SCOUT_VAR to another directory."
        )
    directory.chmod(0o700)
    os.chown(directory, uid, -1)
    ghost = first_line_number(lock)
    if ghost is not None and _is_postgres(ghost):
        os.kill(ghost, signal.SIGQUIT)
        deadline = time.monotonic() + 10
        while _is_postgres(ghost) and time.monotonic() < deadline:
            time.sleep(0.02)
    for path in directory.iterdir():
        path.unlink()


def server_pid(cluster: Path) -> int | None:
    """The process id the last server over `cluster` noted; it may be long gone."""
    return first_line_number(cluster / "postmaster.pid")


def first_line_number(path: Path) -> int | None:
    """The positive number on the file's first line, or None."""
    try:
        number = int(path.read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return number if number > 0 else None


def _is_postgres(pid: int) -> bool:
    """Whether the process runs a program named postgres; outside Linux, whether it exists."""
    try:
        if not Path("/proc/self").exists():
            os.kill(pid, 0)
            return True
        program = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0", 1)[0]
    except OSError:
        return False
    return os.path.basename(program) == b"postgres"


def open_owned(path: Path) -> int:
    """Open to read and write, made if missing; for the directory's owner, when root makes it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.fchown(descriptor, path.parent.stat().st_uid if os.geteuid() == 0 else -1, -1)
    return descriptor


def log_path(cluster: Path) -> Path:
    """Where the server over `cluster` writes since it was started; `.1` is from the time before."""
    return cluster.with_name(f"{cluster.name}.log")


def log_reason(cluster: Path) -> str:
    """Why the server last started stopped again, in its own words."""
    lines = log_path(cluster).read_text(errors="replace").strip().splitlines()
    fatal = [line for line in lines if ("FATAL" in line or "PANIC" in line)]
    fatal = [line for line in fatal if "the database system is" not in line]
    return " ".join(fatal[:1] or lines[:3]) or "it left no message"


def environment() -> dict[str, str]:
    """This process's environment without what changes how PostgreSQL's programs behave."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PG", "LC_", "LANG"))
    }
    return kept | {"LC_ALL": "C", "TZ": "UTC"}


def alive_path(cluster: Path) -> Path:
    """The file a living server over `cluster` holds locked."""
    return cluster.with_name(f"{cluster.name}.alive")

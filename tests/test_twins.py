"""Two processes at once, let go at the same moment: the same inbox as one."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
from django.db import connection, transaction

from deliveries.models import Delivery
from deliveries.scan import ScanOptions, scan
from jobs.fetching import fetch_all
from tests import processes
from tests.factories import person
from tests.processes import post
from tests.smtp_server import Accepted, read_spool

pytestmark = pytest.mark.django_db(transaction=True)

NOON, EVENING = "2026-11-25T12:00:00Z", "2026-11-25T18:00:00Z"
POSTS = [post(number, posted_at="2026-11-25T11:00:00Z") for number in (1, 2, 3)]
WAITING = """
SELECT count(*) FROM pg_locks WHERE relation = 'deliveries_run'::regclass AND NOT granted
"""


@contextmanager
def starting_line() -> Iterator[None]:
    """Nobody gets past the first note of a run before this ends."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE deliveries_run IN SHARE MODE")
        yield


def all_wait(started: "list[subprocess.Popen[str]]") -> bool:
    """Whether each stands at the starting line, or has gone home."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return cursor.fetchone()[0] + sum(one.poll() is not None for one in started) == len(started)


def together(*commands: tuple[str, ...], env: dict[str, str]) -> list[processes.Ended]:
    """Run commands with one start."""
    with ExitStack() as all_ended:
        with starting_line():
            started = [
                all_ended.enter_context(processes.start(*command, env=env)) for command in commands
            ]
            processes.wait_until(lambda: all_wait(started))
        return [processes.ended(one) for one in started]


def enrol_eight(mode: str) -> list[tuple[str, tuple[int, ...]]]:
    """Eight people whom all three posts fit, and what their inboxes should hold."""
    names = [f"{letter}@example.com" for letter in "abcdefgh"]
    for name in names:
        person(name, words_any=["django"], min_score=0, mode=mode, digest_hour=18)
    return [(name, (1, 2, 3)) for name in names]


def arrived(accepted: list[Accepted]) -> list[tuple[str, tuple[int, ...]]]:
    """Who got which jobs, mail by mail."""
    return sorted((who, tuple(sorted(jobs))) for who, _, jobs in processes.inbox(accepted))


@pytest.mark.parametrize("lease_seconds", [600, 0])
def test_two_scans_together_mail_what_one_would(tmp_path, smtp, lease_seconds):
    expected = enrol_eight("instant")
    source = processes.write_posts(tmp_path / "posts.json", POSTS)
    env = processes.environment(smtp.port, SCOUT_SOURCES=source, SCOUT_LEASE_SECONDS=lease_seconds)
    ends = together(*[("scan", "--now", NOON)] * 2, env=env)
    assert [(end.code, end.errors) for end in ends] == [(0, "")] * 2
    assert sum(end.summary["skipped"] is not None for end in ends) == bool(lease_seconds)
    assert sum(end.summary["mails_sent"] for end in ends) == 8
    assert sum(end.summary["new_jobs"] for end in ends) == 3
    assert arrived(smtp.accepted) == expected
    assert list(Delivery.objects.values_list("status", "attempts")) == [("sent", 0)] * 24


@pytest.mark.parametrize("command", ["scan", "digest"])
def test_a_second_run_amid_the_mails_of_the_first_repeats_none(tmp_path, command):
    expected = enrol_eight("instant" if command == "scan" else "daily")
    source = processes.write_posts(tmp_path / "posts.json", POSTS)
    spool = tmp_path / "spool"
    with processes.smtp_process(spool, pause=0.05) as port:
        env = processes.environment(port, SCOUT_SOURCES=source, SCOUT_LEASE_SECONDS=0)
        processes.run("scan", "--now", NOON, env=env) if command == "digest" else None
        again = (command, "--now", EVENING if command == "digest" else NOON)
        with processes.start(*again, env=env) as first, processes.start(*again, env=env) as second:
            processes.wait_until(lambda: bool(read_spool(spool)))
            third = processes.run(*again, env=env)
            ends = [processes.ended(first), processes.ended(second), third]
    assert [(end.code, end.errors) for end in ends] == [(0, "")] * 3
    assert sum(end.summary["mails_sent"] for end in ends) == 8
    assert arrived(read_spool(spool)) == expected


def test_two_digests_together_mail_everybody_once(tmp_path, smtp):
    expected = enrol_eight("daily")
    source = processes.write_posts(tmp_path / "posts.json", POSTS)
    env = processes.environment(smtp.port, SCOUT_SOURCES=source)
    assert processes.run("scan", "--now", NOON, env=env).summary["queued"] == 24
    ends = together(*[("digest", "--now", EVENING)] * 2, env=env)
    assert [(end.code, end.errors) for end in ends] == [(0, "")] * 2
    assert sum(end.summary["mails_sent"] for end in ends) == 8
    assert arrived(smtp.accepted) == expected


def test_workers_beside_a_scan_mail_what_the_scan_would_alone(tmp_path, smtp):
    expected = enrol_eight("instant")
    source = processes.write_posts(tmp_path / "posts.json", POSTS)
    env = processes.environment(smtp.port, SCOUT_SOURCES=source)
    worker = ("scan", "--work-only", "--now", NOON)
    ends = together(("scan", "--now", NOON), worker, worker, env=env)
    assert [(end.code, end.errors, end.summary["skipped"]) for end in ends] == [(0, "", None)] * 3
    processes.run("scan", "--now", NOON, env=env)  # for whom a worker visited before the fetch
    assert arrived(smtp.accepted) == expected


def test_a_worker_that_looks_before_the_fetch_ends_hides_nobody(
    tmp_path, settings, smtp, at, wall, monkeypatch
):
    enrol_eight("instant")
    settings.SCOUT_SOURCES = [processes.write_posts(tmp_path / "posts.json", POSTS)]

    def fetch_late(*args, **options):
        assert scan(at(NOON), wall, ScanOptions(work_only=True)).users_done == 8
        return fetch_all(*args, **options)

    monkeypatch.setattr("deliveries.scan.fetch_all", fetch_late)
    assert scan(at(NOON), wall).mails_sent == len(smtp.accepted) == 8

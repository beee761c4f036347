"""Real processes killed at random moments, then normal runs: what arrived, and what did not."""

import random
import signal
import subprocess
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from accounts.models import User
from deliveries.digest import digest
from deliveries.models import Delivery, Lease, Mail, Run
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests import processes
from tests.factories import JobFactory, person, queued
from tests.smtp_server import Accepted, read_spool

pytestmark = pytest.mark.django_db(transaction=True)

PAUSE = 0.02  # seconds, three times for each mail
PEOPLE = 4
LATER = Clock(timedelta(minutes=10))  # the longest possible send is over
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def port(tmp_path, settings):
    """A slow SMTP server in a process of its own, for the processes and for this one."""
    with processes.smtp_process(tmp_path / "spool", PAUSE) as number:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", number
        yield number


def enrol(**profile: object) -> list[User]:
    """People every post fits, as often as there are posts."""
    terms = {"words_any": ["django"], "min_score": 0, "max_jobs_per_day": 200}
    names = [f"{letter}@example.com" for letter in "abcdefgh"[:PEOPLE]]
    return [person(name, **terms, **profile) for name in names]


class Killer:
    """Kills processes at seeded random moments of their work: half anywhere, half near a mail."""

    def __init__(self, spool: Path, seed: int) -> None:
        self.spool, self.random = spool, random.Random(seed)
        self.landed = self.in_flight = 0
        self.work_seconds = 0.5

    def watch(self, process: "subprocess.Popen[str]") -> None:
        """Let one run end by itself, to know how long it works."""
        runs = Run.objects.count()
        processes.wait_until(lambda: Run.objects.count() > runs)
        begun = time.monotonic()
        assert processes.ended(process).code == 0
        self.work_seconds = time.monotonic() - begun

    def kill(self, process: "subprocess.Popen[str]") -> None:
        """Kill this one; when it was faster, nothing has landed."""
        runs, mails = Run.objects.count(), self.mails()
        nth = self.random.randint(0, PEOPLE)
        moment = self.random.uniform(0, 3 * PAUSE if nth else self.work_seconds)
        processes.wait_until(
            lambda: (
                Run.objects.count() > runs
                and (self.mails() >= mails + nth or process.poll() is not None)
            )
        )
        time.sleep(moment)
        process.kill()
        landed = processes.ended(process).code == -signal.SIGKILL
        self.landed += landed
        self.in_flight += landed and Mail.objects.filter(status__in=["sending", "sealed"]).exists()

    def mails(self) -> int:
        """How many mails the server has taken."""
        return len(list(self.spool.glob("*.json")))


def pairs(accepted: list[Accepted]) -> Counter[tuple[str, int]]:
    """How often each job was mailed to each address."""
    mails = map(processes.read, accepted)
    return Counter((mail.recipient, job) for mail in mails for job in mail.jobs)


def test_a_scan_killed_twenty_times_repeats_nothing_and_owns_up_to_what_it_lost(
    tmp_path, settings, port
):
    enrol()
    killer = Killer(tmp_path / "spool", seed=2026)
    settings.SCOUT_SOURCES = [processes.write_posts(tmp_path / "posts.json", [processes.post(1)])]
    env = processes.environment(port, SCOUT_SOURCES=settings.SCOUT_SOURCES[0])
    killer.watch(processes.start("scan", env=env))
    posts = 1
    while killer.landed < 20 and posts < 120:
        new = [processes.post(posts + 1), processes.post(posts + 2)]
        posts += len(new)
        processes.write_posts(tmp_path / "posts.json", new)
        killer.kill(processes.start("scan", env=env))
        Lease.objects.update(until=datetime.now(UTC) - timedelta(hours=1))
        after = scan(LATER, Wall(60))
        assert (after.skipped, after.users_left, after.errors, after.mail) == (None, 0, 0, "ok")
    check_alerts(read_spool(tmp_path / "spool"), killer, posts)


def check_alerts(accepted: list[Accepted], killer: Killer, posts: int) -> None:
    """No job twice; what did not arrive is at most one mail a kill, all of it unconfirmed."""
    arrived = pairs(accepted)
    rows = {
        (row.user.email, int(row.job_id[-6:])): row
        for row in Delivery.objects.select_related("user")
    }
    missing = [row for pair, row in rows.items() if pair not in arrived]
    lost = {row.mail_id for row in missing}
    print(f"{killer.landed} kills, {killer.in_flight} during a mail, {len(lost)} mails lost,")  # noqa: T201
    print(f"{sum(arrived.values()) - len(arrived)} jobs twice, {len(rows)} rows")  # noqa: T201
    assert (killer.landed, len(rows), max(arrived.values())) == (20, PEOPLE * posts, 1)
    assert {row.status for row in missing} <= {"unconfirmed"}
    assert len(lost) <= killer.landed
    assert {row.status for row in rows.values()} <= {"sent", "unconfirmed"}
    assert killer.in_flight >= 3


def test_a_digest_killed_ten_times_misses_nobody_and_repeats_only_itself(tmp_path, port):
    users = enrol(mode="daily")
    killer, day = Killer(tmp_path / "spool", seed=8), datetime(2026, 11, 25, 8, tzinfo=UTC)
    env = processes.environment(port, SCOUT_SOURCES="")
    copies: list[Counter[bytes]] = []
    while killer.landed < 10 and len(copies) < 40:
        day += timedelta(days=1)
        job = JobFactory(first_seen=day - timedelta(hours=2))
        for user in users:
            queued(user, job, route="daily", queued_at=day - timedelta(hours=1))
        process = processes.start("digest", "--now", day.isoformat(), env=env)
        (killer.kill if copies else killer.watch)(process)
        before = len(copies) and sum(map(Counter.total, copies))
        digest(Clock.set_to(day + timedelta(minutes=20)), Wall(60))
        copies.append(Counter(mail.raw for mail in read_spool(tmp_path / "spool")[before:]))
    extra = [found.total() - PEOPLE for found in copies]
    print(f"{killer.landed} kills, {killer.in_flight} open, {sum(extra)} identical copies")  # noqa: T201
    assert killer.landed == 10
    assert all(len(found) == PEOPLE for found in copies)  # so every copy is identical
    assert all(0 <= more <= 1 for more in extra)
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent"}


def test_a_killed_scan_stands_in_the_way_only_until_its_lease_is_over(tmp_path, settings, port):
    enrol()
    settings.SCOUT_SOURCES = [processes.write_posts(tmp_path / "posts.json", [processes.post(1)])]
    env = processes.environment(
        port, SCOUT_SOURCES=settings.SCOUT_SOURCES[0], SCOUT_LEASE_SECONDS=3
    )
    with processes.start("scan", env=env) as process:
        processes.wait_until(Lease.objects.exists)
        process.kill()
    assert scan(Clock(), Wall(60)).skipped == "previous run in flight"
    processes.wait_until(lambda: scan(Clock(), Wall(60)).skipped is None)
    assert set(pairs(read_spool(tmp_path / "spool")).values()) == {1}


@pytest.mark.parametrize("command", ["scan", "digest"])
def test_sigterm_finishes_the_mail_in_hand_and_leaves_in_good_order(tmp_path, settings, command):
    with processes.smtp_process(tmp_path / "spool", 0.3) as port:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", port
        settings.SCOUT_SOURCES = []
        JobFactory()
        enrol(mode="instant" if command == "scan" else "daily", digest_hour=0)
        scan(Clock(), Wall(60)) if command == "digest" else None
        env = processes.environment(port, SCOUT_SOURCES="")
        process = processes.start(command, env=env)
        processes.wait_until(lambda: bool(read_spool(tmp_path / "spool")))
        process.send_signal(signal.SIGTERM)
        ended = processes.ended(process)
        arrived = read_spool(tmp_path / "spool")
    assert (ended.code, ended.errors, ended.summary["mails_sent"], len(arrived)) == (0, "", 1, 1)
    waiting = ("queued", "sealed")[command == "digest"]
    assert sorted(Delivery.objects.values_list("status", "attempts")) == [
        *[(waiting, 0)] * (PEOPLE - 1),
        ("sent", 0),
    ]
    assert not Lease.objects.exists()

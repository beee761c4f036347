"""The world of one example: its provider, its operators, and the runs that serve its people."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any, Final
from unittest import mock

from django.db import connection
from django.db.backends.signals import connection_created
from django.test import override_settings

from accounts.boundaries import Moment
from accounts.identity import uid_of
from accounts.person import read_person
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Mail
from deliveries.restoring import after_restore
from deliveries.running.runs import run_digest, run_prune, run_scan
from deliveries.scan import LEASE, ScanOptions
from deliveries.work import lease
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.scoring import offer
from tests.processes import write_posts
from tests.simulation import tables
from tests.simulation.faults import Fault, Faulty, strikes
from tests.simulation.people import Inhabited
from tests.simulation.provider import UNKNOWN, About, Provider, in_place

READS_A_PERSON: Final = ("deliveries.ledger.alerts", "deliveries.ledger.attempts")
ASIDES: Final = (
    *("scan", "work", "digest", "prune", "opt out", "delete", "turn daily", "turn instant"),
    *("change address", "sign up", "wait", "overtake"),
)


@dataclass
class Ended:
    """How a run ended: its summary, unless it was killed or broke off; the faults that struck."""

    summary: Any
    struck: list[Fault]
    killed: bool
    error: Exception | None
    trouble: int


@dataclass
class World(Inhabited):
    """Everything an example needs, and everything it must remember to judge the outcome."""

    lease: bool = True
    provider: Provider = field(default_factory=Provider)
    excuses: Counter[str] = field(default_factory=Counter)
    budget: int = 0
    _read_at: dict[str, int] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    skipped_amiss: list[str] = field(default_factory=list)
    kept: tuple[dict[str, bytes], dict[str, int], dict[int, int]] | None = None

    # -- operators

    def back_up(self) -> None:
        """A backup of the database is made."""
        self.note("a backup is made")
        self.kept = (tables.backup(), dict(self.people), dict(self.stopped))

    def put_back(self, faults: Sequence[Fault] = ()) -> None:
        """The backup is restored, and the operator's command run until it ends well.

        What it forgets: opt-outs and changes of address since; what it gives up is no loss.
        """
        if self.kept is None:
            return
        rows, people, self.stopped = self.kept
        self.kept = None
        tables.restore(rows)
        self.people |= people
        self.note("the backup is put back")
        self.run("restored_backup", faults=faults)
        while self.run("restored_backup").summary is None:
            self.wait(timedelta(minutes=11))
        self.budget += Mail.objects.filter(kind="alert", status="unconfirmed").count()

    # -- runs

    def run(
        self,
        kind: str,
        *,
        answers: Sequence[str] = (),
        faults: Sequence[Fault] = (),
        aside: Callable[[str, Moment], None] | None = None,
    ) -> Ended:
        """One run as a process of its own: with its faults, and somebody else's steps aside."""
        faulty = Faulty(faults, aside or (lambda _name, _moment: None))
        offer.forget()
        self.provider.answers, self.provider.die = list(answers), faulty.die
        given, attempts = len(self.provider.given), len(self.provider.attempts)
        summary, error = None, None
        with strikes(faulty):
            try:
                summary = self._start(kind)
            except Exception as raised:
                error = raised
                connection.close()
        self.provider.answers = []
        new = self.provider.given[given:]
        trouble = len(faulty.struck) + sum(answer in UNKNOWN for answer in new)
        self.count(faulty.struck)
        self.faults.update(new)
        self.blame(trouble, self.provider.attempts[attempts:])
        self.note(_told(kind, summary, error, faulty, new))
        return Ended(summary, faulty.struck, faulty.dead, error, trouble)

    def blame(self, trouble: int, envelopes: Sequence[str]) -> None:
        """Allow for what these faults may cost: losses, and copies of the digests they met."""
        self.budget += trouble
        for envelope in set(envelopes):
            self.excuses[envelope] += trouble

    def _start(self, kind: str) -> Any:
        wall = Wall(600)
        match kind:
            case "scan":
                return run_scan(Clock(), wall)
            case "work":
                return run_scan(Clock(), wall, ScanOptions(work_only=True))
            case "digest":
                return run_digest(Clock(), wall)
            case "restored_backup":
                return after_restore(Clock())
            case "prune":
                return run_prune(Clock(), wall)
        raise ValueError(kind)

    def run_beside(
        self, kind: str, nth: int, other: str, who: str, answers: Sequence[str]
    ) -> Ended:
        """A run in whose nth crossing another process, on its own connection, does one thing."""
        crossings, holding, taken = count(), [False], [""]

        def aside(name: str, moment: Moment) -> None:
            if name in ("lease: take", "lease: release"):
                holding[0] = self.lease and name == "lease: take" and moment == "after"
            if next(crossings) == nth:
                taken[0] = self._aside(other, who, holding[0])

        before = len(self.provider.attempts)
        ended = self.run(kind, answers=answers, aside=aside)
        self.blame(ended.trouble, self.provider.attempts[before:])
        if taken[0]:
            if lease.take(LEASE, 600):
                self.skipped_amiss.append("a scan that was overtaken gave back another's lease")
            lease.release(LEASE, taken[0])
        return ended

    def _aside(self, other: str, who: str, holding: bool) -> str:
        """Do the other thing; the token of a lease that was taken over."""
        if other == "overtake":
            # Elsewhere: within our own open transaction nobody else would see the new time.
            self.elsewhere(lambda: self.wait(timedelta(minutes=11)))
            token = self.elsewhere(lambda: lease.take(LEASE, 600)) if holding else None
            return token if isinstance(token, str) else ""
        done = self._step_aside(other, who)
        if other == "scan" and holding and getattr(done, "skipped", "error") is None:
            self.skipped_amiss.append("two scans at once, with the lease on")
        return ""

    def _step_aside(self, other: str, who: str) -> Any:
        steps: dict[str, Callable[[], Any]] = {
            "opt out": lambda: self.stop(who),
            "delete": lambda: self.leave(who),
            "turn daily": lambda: self.edit(who, mode="daily"),
            "turn instant": lambda: self.edit(who, mode="instant"),
            "change address": lambda: self.move(who, f"new.{who}"),
            "sign up": lambda: self.sign_up(who),
            "wait": lambda: self.wait(timedelta(minutes=11)),
        }
        return self.elsewhere(steps.get(other) or (lambda: self._start(other)))

    def elsewhere(self, step: Callable[[], Any]) -> Any:
        """Do a step on a connection of its own, as another process would.

        It waits for no lock longer than a moment; what it then raises is answered, and excused.
        """

        def run() -> Any:
            try:
                return step()
            except Exception as error:
                self.budget += 1
                return error
            finally:
                connection.close()

        # After an error a run may go on with a new connection: that one is no more patient.
        connection_created.connect(_impatient)
        try:
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(run).result()
        finally:
            connection_created.disconnect(_impatient)

    # -- what a run is watched by

    @contextmanager
    def alive(self) -> Iterator["World"]:
        """Inside, runs read this world's source and send through its provider."""
        self.provider.on_send = self._on_send
        with ExitStack() as stack:
            for module in READS_A_PERSON:
                stack.enter_context(mock.patch(f"{module}.read_person", self._read_person))
            stack.enter_context(in_place(self.provider))
            source = write_posts(self.folder / "posts.json", self.posts.values())
            seconds = 600 if self.lease else 0
            stack.enter_context(
                override_settings(
                    SCOUT_SOURCES=[source], SCOUT_LEASE_SECONDS=seconds, SCOUT_RETENTION_DAYS=1
                )
            )
            yield self

    def _read_person(self, user_id: str, **options: Any) -> Any:
        self._order += 1
        self._read_at[user_id] = self._order
        return read_person(user_id, **options)

    def _on_send(self, mail: StoredMail) -> About:
        uid, person = uid_of(mail.recipient), self.people[mail.recipient]
        stopped = self.stopped.get(person)
        if stopped is not None and self._read_at.get(uid, 0) > stopped:
            self.late.append(mail.envelope)
        found = Mail.objects.filter(pk=mail.envelope).values_list("kind", "digest_on").first()
        self.note(f"  a send to {mail.recipient}: {found and found[0]} {mail.envelope[:6]}")
        kind, day = found or ("alert", None)
        return About(kind, day, person)


def _impatient(*, connection: Any, **_: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '40ms'")


def _told(kind: str, summary: Any, error: object, faulty: Faulty, given: Sequence[str]) -> str:
    said = {} if summary is None else {k: v for k, v in summary.as_json().items() if v}
    said.pop("seconds", None)
    struck = [f"{f.kind} {f.moment} {f.boundary}" for f in faulty.struck]
    return f"{kind}: {said} {'KILLED' if faulty.dead else ''} {error or ''} {struck} {list(given)}"


def by_reader(world: World, kind: str) -> dict[tuple[object, int], list[str]]:
    """For each person and each mailbox, with a job's number, the envelopes of this kind that were
    accepted with that job."""
    found: defaultdict[tuple[object, int], list[str]] = defaultdict(list)
    for one in world.provider.taken:
        for job in one.jobs if one.about.kind == kind else ():
            found[one.about.person, job].append(one.envelope)
            found[one.recipient, job].append(one.envelope)
    return found

"""The world of one example: people, posts, a provider, and the runs that serve them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest import mock

from django.db import connection
from django.test import override_settings

from accounts.boundaries import Moment
from accounts.identity import uid_of
from accounts.models import OptOutToken
from accounts.opting_out import opt_in, opt_out
from accounts.person import read_person
from accounts.profiles import read_profile
from deliveries.digest import digest
from deliveries.leaving import delete_account
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Mail
from deliveries.moving import AddressTakenError, UnknownUserError, change_address
from deliveries.people import save_profile
from deliveries.pruning import prune
from deliveries.restoring import after_restore
from deliveries.scan import LEASE, ScanOptions, scan
from deliveries.work import lease
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError
from deliveries.work.wall import Wall
from tests.processes import post, write_posts
from tests.simulation import moment, tables
from tests.simulation.faults import Fault, Faulty, strikes
from tests.simulation.provider import UNKNOWN, About, Provider, in_place

READS_A_PERSON: Final = ("deliveries.ledger.alerts", "deliveries.ledger.attempts")
WISHES: Final[dict[str, Any]] = {"words_any": ["django"], "min_score": 0, "max_jobs_per_day": 100}
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
class World:
    """Everything an example needs, and everything it must remember to judge the outcome."""

    folder: Path
    lease: bool = True
    provider: Provider = field(default_factory=Provider)
    posts: dict[int, dict[str, Any]] = field(default_factory=dict)
    # Whose mailbox an address is: a change of address keeps the person, so does signing up again.
    people: dict[str, int] = field(default_factory=dict)
    stopped: dict[int, int] = field(default_factory=dict)
    anew: Counter[str] = field(default_factory=Counter)
    jumped_back: bool = False
    excuses: Counter[str] = field(default_factory=Counter)
    budget: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    struck_at: Counter[str] = field(default_factory=Counter)
    journal: list[str] = field(default_factory=list)
    _order: int = 0
    _read_at: dict[str, int] = field(default_factory=dict)
    late: list[str] = field(default_factory=list)
    skipped_amiss: list[str] = field(default_factory=list)
    kept: tuple[dict[str, bytes], dict[str, int], dict[int, int]] | None = None

    # -- time and posts

    def now(self) -> datetime:
        """What the database's clock shows."""
        return Clock().now()

    def set_moment(self, at: datetime) -> None:
        """Set the database's clock."""
        moment.set_moment(at)
        self.note(f"-- {at:%Y-%m-%d %H:%M}")

    def wait(self, span: timedelta) -> None:
        """Let time pass, or jump back."""
        self.jumped_back |= span < timedelta()
        self.set_moment(self.now() + span)

    def publish(self, number: int, *, age: timedelta | None, title: str = "Django work") -> None:
        """A post appears at the source; without an age it says no date."""
        posted = None if age is None else (self.now() - age).isoformat()
        self.posts[number] = post(number, f"{title} {number}", posted_at=posted)
        write_posts(self.folder / "posts.json", self.posts.values())

    def note(self, line: str) -> None:
        """Keep a line of what happened, for whoever has to understand a violation."""
        self.journal.append(line)

    # -- people

    def sign_up(self, email: str, **profile: Any) -> None:
        """A new user, or a changed one."""
        self.people.setdefault(email, self._somebody())
        self.note(f"{email} signs up, or edits: {profile}")
        save_profile(email, read_profile({**WISHES, **profile}), now=self.now())

    def _somebody(self) -> int:
        self._order += 1
        return self._order

    def edit(self, email: str, **profile: Any) -> None:
        """Somebody saves their preferences, and has an account from then on."""
        self.people.setdefault(email, self._somebody())
        self.note(f"{email} edits: {profile}")
        save_profile(email, read_profile(profile), now=self.now())

    def stop(self, email: str) -> None:
        """Somebody follows the link that stops mail; from here on no reading may lead to one."""
        token = OptOutToken.objects.filter(user__email=email).values_list("pk", flat=True).first()
        if token and opt_out(token):
            self._order += 1
            self.note(f"{email} opts out")
            self.stopped.setdefault(self.people[email], self._order)

    def resume(self, email: str) -> None:
        """Somebody lifts their opt-out."""
        token = OptOutToken.objects.filter(user__email=email).values_list("pk", flat=True).first()
        if token and opt_in(token):
            self.stopped.pop(self.people[email], None)

    def leave(self, email: str) -> None:
        """Somebody deletes their account; the opt-out goes with it."""
        if delete_account(uid_of(email), now=self.now()):
            self.stopped.pop(self.people[email], None)
            self.anew[email] += 1
            self.note(f"{email} leaves")

    def move(self, old: str, new: str) -> None:
        """Somebody changes their address; who reads it stays the same person."""
        with suppress(AddressTakenError, BusyError, UnknownUserError):
            change_address(uid_of(old), new, now=self.now())
            self.people[new] = self.people[old]
            self.people[old] = self._somebody()  # whoever signs up there next
            self.note(f"{old} becomes {new}")

    def pause(self, email: str, span: timedelta | None) -> None:
        """Somebody wants no mail for a time; with None, mail again."""
        until = None if span is None else (self.now() + span).isoformat()
        self.sign_up(email, paused_until=until)

    def does(self, deed: str, email: str) -> None:
        """One of the deeds that need no more said."""
        deeds: dict[str, Callable[[], None]] = {
            "stop": lambda: self.stop(email),
            "resume": lambda: self.resume(email),
            "leave": lambda: self.leave(email),
            "move": lambda: self.move(email, f"new.{email}"),
            "pause": lambda: self.pause(email, timedelta(hours=1)),
            "pause for long": lambda: self.pause(email, timedelta(hours=30)),
            "go on": lambda: self.pause(email, None),
        }
        deeds[deed]()

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
        self.faults.update(fault.kind for fault in faulty.struck)
        self.struck_at.update(f"{fault.moment} {fault.boundary}" for fault in faulty.struck)
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
                return scan(Clock(), wall)
            case "work":
                return scan(Clock(), wall, ScanOptions(work_only=True))
            case "digest":
                return digest(Clock(), wall)
            case "restored_backup":
                return after_restore(Clock())
            case "prune":
                return prune(Clock().now(), wall)
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
            self.wait(timedelta(minutes=11))
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
                with connection.cursor() as cursor:
                    cursor.execute("SET lock_timeout = '40ms'")
                return step()
            except Exception as error:
                self.budget += 1
                return error
            finally:
                connection.close()

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(run).result()

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


def forget_everything() -> None:
    """Begin anew: no rows, and nothing that a process remembered."""
    tables.wipe()

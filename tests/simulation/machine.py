"""The state machine: people, posts, time and faults in any order, judged after every step."""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from deliveries import ledger
from deliveries.models import Delivery, Mail
from tests.simulation import check, tables
from tests.simulation.faults import ANY, KINDS, Fault
from tests.simulation.provider import SENDS
from tests.simulation.tail import tail
from tests.simulation.violations import Violation
from tests.simulation.world import ASIDES, World

ADDRESSES: Final = ("ana@example.com", "bo@example.com", "cy@example.com")
BEGINNINGS: Final = tuple(
    datetime.fromisoformat(moment).replace(tzinfo=UTC)
    for moment in (
        "2026-11-25T11:50",
        "2026-03-29T00:40",  # clocks go forward in Berlin, at 1:00 UTC
        "2026-10-25T00:40",  # and back
        "2026-11-01T05:40",  # and back in New York, at 6:00 UTC
        "2026-12-31T22:50",
    )
)
BOUNDARIES: Final = (
    *("lease: take", "scan: begin", "source: fetch", "source: keep", "jobs: store"),
    *("jobs: upsert", "visit: begin", "verdicts: keep", "ledger: record", "watermark: note"),
    *("mail: open", "alert: claim", "mail: send", "mail: finish", "visit: end", "scan: end"),
    *("lease: release", "breaker: remember", "sweep: an old digest", "sweep: expire"),
    *("sweep: stale alerts", "sweep: an opted-out digest", "digest: begin a tick"),
    *("digest: skip day", "digest: freeze", "digest: begin", "digest: mark", "digest: put off"),
    *("digest: pass over", "digest: stop", "digest: wait out a pause", "digest: end a tick"),
    *("prune: deliveries", "prune: mails", "prune: a batch", "prune: small tables"),
)
_OFTEN: Final = ("alert: claim", "mail: send", "mail: finish", "digest: mark", "digest: begin")

emails = st.sampled_from(ADDRESSES)
modes = st.sampled_from(["instant", "daily"])
spans = st.sampled_from([1, 14, 31, 125, 7 * 60, 23 * 60, 24 * 60, 49 * 60, 5 * 24 * 60])
ages = st.sampled_from([None, timedelta(minutes=3), timedelta(hours=20), timedelta(hours=-3)])
somewhere = st.builds(
    Fault,
    boundary=st.just(ANY),
    moment=st.just("before"),
    kind=st.sampled_from(KINDS),
    nth=st.integers(0, 45),
)
there = st.builds(
    Fault,
    boundary=st.one_of(st.sampled_from(BOUNDARIES), st.sampled_from(_OFTEN)),
    moment=st.sampled_from(["before", "after"]),
    kind=st.sampled_from(KINDS),
    nth=st.sampled_from([0, 0, 0, 1, 2]),
)
faults = st.one_of(somewhere, there)
plans = st.lists(faults, min_size=1, max_size=3)
answers = st.lists(st.sampled_from(SENDS), max_size=3)
asides = st.sampled_from(ASIDES)
storms = st.lists(
    st.tuples(st.sampled_from(["scan", "scan", "work", "digest"]), plans, answers),
    min_size=3,
    max_size=8,
)
wishes: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "mode": modes,
        "digest_hour": st.sampled_from([0, 2, 8, 13, 23]),
        "timezone": st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]),
        "max_jobs_per_day": st.sampled_from([100, 100, 100, 1]),
        "words_none": st.sampled_from([[], ["rust"]]),
    },
)


class Machine(RuleBasedStateMachine):
    """One example is one life of a database; class attributes count over all examples."""

    examples: ClassVar[int] = 0
    injected: ClassVar[Counter[str]] = Counter()
    mailed: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        logging.disable(logging.CRITICAL)
        tables.wipe()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(Path(self.folder.name))
        self.entered = self.world.alive()
        self.whole = False

    @initialize(at=st.sampled_from(BEGINNINGS), lease=st.booleans(), first=wishes, second=wishes)
    def begin(
        self, at: datetime, lease: bool, first: dict[str, Any], second: dict[str, Any]
    ) -> None:
        self.world.lease = lease
        self.entered.__enter__()
        self.whole = True
        self.world.set_moment(at)
        self.world.sign_up(ADDRESSES[0], **first)
        self.world.sign_up(ADDRESSES[1], **second)
        self.world.publish(1, age=timedelta(minutes=5))
        self.world.publish(2, age=None)

    @rule(age=ages, rust=st.booleans())
    def publish(self, age: timedelta | None, rust: bool) -> None:
        title = "Django and Rust work" if rust else "Django work"
        self.world.publish(len(self.world.posts) + 1, age=age, title=title)

    @rule(kind=st.sampled_from(["scan", "digest"]), said=answers)
    def run(self, kind: str, said: list[str]) -> None:
        self.world.run(kind, answers=said)

    @rule(runs=storms)
    def storm_of_scans(self, runs: list[tuple[str, list[Fault], list[str]]]) -> None:
        self._storm(runs)

    @rule(runs=storms, minutes=spans)
    def storm_later(self, runs: list[tuple[str, list[Fault], list[str]]], minutes: int) -> None:
        self.world.wait(timedelta(minutes=minutes))
        self._storm(runs)

    def _storm(self, runs: list[tuple[str, list[Fault], list[str]]]) -> None:
        for kind, plan, said in runs:
            self.world.publish(len(self.world.posts) + 1, age=timedelta(minutes=2))
            self.world.run(kind, faults=plan, answers=said)
            self.nothing_amiss()

    @rule(
        kind=st.sampled_from(["scan", "digest"]),
        nth=st.integers(0, 45),
        other=asides,
        who=emails,
        said=answers,
    )
    def somebody_else_in_between(
        self, kind: str, nth: int, other: str, who: str, said: list[str]
    ) -> None:
        """At one crossing of a run, another process does something and is done with it."""
        self.world.run_beside(kind, nth, other, who, said)

    @rule(plan=st.lists(faults, max_size=1))
    def prune(self, plan: list[Fault]) -> None:
        self.world.run("prune", faults=plan)

    @rule(minutes=spans)
    def wait(self, minutes: int) -> None:
        self.world.wait(timedelta(minutes=minutes))

    @rule(hours=st.sampled_from([1, 26]))
    def clock_goes_back(self, hours: int) -> None:
        self.world.wait(-timedelta(hours=hours))

    @rule(email=emails, wished=wishes)
    def sign_up_or_edit(self, email: str, wished: dict[str, Any]) -> None:
        self.world.sign_up(email, **wished)

    @rule(email=emails, hours=st.sampled_from([None, 1, 30]))
    def pause(self, email: str, hours: int | None) -> None:
        until = None if hours is None else (self.world.now() + timedelta(hours=hours)).isoformat()
        self.world.sign_up(email, paused_until=until)

    @rule(
        email=emails, quiet=st.sampled_from([(None, None), ("22:00", "07:00"), ("11:00", "14:00")])
    )
    def quiet_hours(self, email: str, quiet: tuple[str | None, str | None]) -> None:
        self.world.sign_up(email, quiet_from=quiet[0], quiet_until=quiet[1])

    @rule(email=emails)
    def opt_out(self, email: str) -> None:
        self.world.stop(email)

    @rule(email=emails)
    def opt_in(self, email: str) -> None:
        self.world.resume(email)

    @rule(email=emails)
    def leave(self, email: str) -> None:
        self.world.leave(email)

    @precondition(lambda self: Delivery.objects.filter(status="failed").exists())
    @rule()
    def staff_queue_again(self) -> None:
        failed = Delivery.objects.filter(status="failed").values_list("pk", flat=True)
        ledger.requeue(list(failed), now=self.world.now())

    @precondition(lambda self: Mail.objects.filter(status="unconfirmed").exists())
    @rule(end=st.sampled_from(["sent", "failed"]))
    def staff_settle(self, end: Any) -> None:
        mail = Mail.objects.filter(status="unconfirmed").order_by("pk").first()
        assert mail is not None
        if end == "sent":
            self.world.settled.add(mail.pk)
        elif any(one.envelope == mail.pk for one in self.world.provider.taken):
            return  # they ask the person first
        ledger.settle(mail.pk, end, now=self.world.now())

    @invariant()
    def nothing_amiss(self) -> None:
        if self.whole:
            with self._explained():
                check.always(self.world)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Violation as violation:
            violation.add_note("\n".join(self.world.journal))
            raise

    def teardown(self) -> None:
        try:
            if self.whole:
                with self._explained():
                    tail(self.world)
        finally:
            type(self).examples += 1
            type(self).injected.update(self.world.faults)
            type(self).mailed += len(self.world.provider.taken)
            if self.whole:
                self.entered.__exit__(None, None, None)
            self.folder.cleanup()
            logging.disable(logging.NOTSET)

"""The state machine: people, posts, time and faults in any order, judged after every step."""

import logging
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar, Literal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from deliveries import ledger
from deliveries.models import Delivery, Mail
from tests.simulation import check, draws, tables
from tests.simulation.faults import Fault
from tests.simulation.tail import tail
from tests.simulation.violations import Violation
from tests.simulation.world import World


class Machine(RuleBasedStateMachine):
    """One example is one life of a database; class attributes count over all examples."""

    examples: ClassVar[int] = 0
    faults: ClassVar[Counter[str]] = Counter()
    struck_at: ClassVar[Counter[str]] = Counter()
    deeds: ClassVar[Counter[str]] = Counter()
    mailed: ClassVar[int] = 0

    def __init__(self) -> None:
        """An empty database, and an empty provider."""
        super().__init__()
        logging.disable(logging.CRITICAL)
        tables.wipe()
        self.folder = tempfile.TemporaryDirectory()
        self.world = World(Path(self.folder.name))
        self.entered = self.world.alive()
        self.begun = False

    @initialize(
        at=st.sampled_from(draws.BEGINNINGS),
        lease=st.booleans(),
        first=draws.wishes,
        second=draws.wishes,
    )
    def begin(
        self, at: datetime, lease: bool, first: dict[str, Any], second: dict[str, Any]
    ) -> None:
        """Two people and two posts."""
        self.world.lease = lease
        self.entered.__enter__()
        self.begun = True
        self.world.set_moment(at)
        self.world.sign_up(draws.ADDRESSES[0], **first)
        self.world.sign_up(draws.ADDRESSES[1], **second)
        self.world.publish(1, age=timedelta(minutes=5))
        self.world.publish(2, age=None)

    @rule(age=draws.ages, rust=st.booleans())
    def publish(self, age: timedelta | None, rust: bool) -> None:
        """A post appears."""
        title = "Django and Rust work" if rust else "Django work"
        self.world.publish_another(age=age, title=title)

    @rule(kind=st.sampled_from(["scan", "digest"]), said=draws.answers)
    def run(self, kind: str, said: list[str]) -> None:
        """A run that nothing kills."""
        self.world.run(kind, answers=said)

    @rule(runs=draws.storms)
    def storm(self, runs: draws.Runs) -> None:
        """Runs one after another, each struck down, and new posts in between."""
        for kind, plan, said in runs:
            self.world.publish_another(age=timedelta(minutes=2))
            self.world.run(kind, faults=plan, answers=said)
            self.nothing_amiss()

    @rule(runs=draws.storms, minutes=draws.spans)
    def storm_later(self, runs: draws.Runs, minutes: int) -> None:
        """Time passes, and then everything fails again."""
        self.world.wait(timedelta(minutes=minutes))
        self.storm(runs)

    @rule(
        kind=st.sampled_from(["scan", "digest"]),
        nth=draws.crossings,
        other=draws.asides,
        who=draws.emails,
        said=draws.answers,
    )
    def somebody_in_between(
        self, kind: str, nth: int, other: str, who: str, said: list[str]
    ) -> None:
        """At one crossing of a run, another process does something and is done with it."""
        self.world.run_beside(kind, nth, other, who, said)

    @rule(plan=st.lists(draws.faults, max_size=1))
    def prune(self, plan: list[Fault]) -> None:
        """What is old is deleted."""
        self.world.run("prune", faults=plan)

    @rule(minutes=draws.spans)
    def wait(self, minutes: int) -> None:
        """Time passes."""
        self.world.wait(timedelta(minutes=minutes))

    @rule(hours=st.sampled_from([1, 26]))
    def clock_goes_back(self, hours: int) -> None:
        """The database's clock was ahead, and is set back."""
        self.world.wait(-timedelta(hours=hours))

    @rule(email=draws.emails, wished=st.one_of(draws.wishes, draws.quiet), plan=draws.few)
    def sign_up_or_edit(self, email: str, wished: dict[str, Any], plan: list[Fault]) -> None:
        """Somebody saves preferences, and has an account from then on."""
        self.world.sign_up(email, plan, **wished)

    @rule(deed=draws.deeds, email=draws.emails, plan=draws.few)
    def somebody_does(self, deed: str, email: str, plan: list[Fault]) -> None:
        """Somebody stops mail, pauses, leaves, or changes their address."""
        type(self).deeds[deed] += 1
        if email in self.world.people:
            self.world.does(deed, email, plan)

    @rule(plan=draws.plans)
    def back_up_or_put_back(self, plan: list[Fault]) -> None:
        """The first time a backup is made, the second time it is restored."""
        if self.world.kept is None:
            self.world.back_up()
        else:
            type(self).deeds["restore"] += 1
            self.world.put_back(plan)

    @precondition(lambda self: Delivery.objects.filter(status="failed").exists())
    @rule()
    def staff_queue_again(self) -> None:
        """Staff let failed rows be mailed after all."""
        failed = Delivery.objects.filter(status="failed").values_list("pk", flat=True)
        ledger.requeue(list(failed), now=self.world.now())

    @precondition(lambda self: Mail.objects.filter(status="unconfirmed").exists())
    @rule()
    def staff_settle(self) -> None:
        """Staff ask the person whether a mail arrived, and write it down."""
        mail = Mail.objects.filter(status="unconfirmed").order_by("pk").first()
        assert mail is not None
        arrived = any(one.envelope == mail.pk for one in self.world.provider.taken)
        end: Literal["sent", "failed"] = "sent" if arrived else "failed"
        ledger.settle(mail.pk, end, now=self.world.now())

    @invariant()
    def nothing_amiss(self) -> None:
        """What holds at every moment."""
        if self.begun:
            with self._explained():
                check.always(self.world)

    def teardown(self) -> None:
        """The tail, without faults."""
        try:
            if self.begun:
                with self._explained():
                    tail(self.world)
        finally:
            self._count()
            if self.begun:
                self.entered.__exit__(None, None, None)
            self.folder.cleanup()
            logging.disable(logging.NOTSET)

    def _count(self) -> None:
        machine = type(self)
        machine.examples += 1
        machine.faults.update(self.world.faults)
        machine.struck_at.update(self.world.struck_at)
        machine.mailed += len(self.world.provider.taken)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Violation as violation:
            violation.add_note("\n".join(self.world.journal))
            raise

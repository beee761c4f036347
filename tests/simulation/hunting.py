"""Hunting a mutant: the machine with its distribution focused on where the mistake can show.

The world, the assertions and the tail are the machine's own; the lives are still random, but
people have few modes, and only some runs, faults, answers and steps aside are drawn.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any, ClassVar, Final

from django.db import connection
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from accounts.boundaries import Moment
from tests.simulation import draws
from tests.simulation.faults import Fault
from tests.simulation.machine import Machine
from tests.simulation.violations import Violation

STEPS: Final = 8
SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What lives may consist of, `opening` first."""

    modes: tuple[str, ...]
    opening: tuple[str, ...] = ()
    kinds: tuple[str, ...]
    plans: st.SearchStrategy[list[Fault]] = field(default_factory=lambda: st.just([]))
    answers: st.SearchStrategy[list[str]] = field(default_factory=lambda: st.just([]))
    asides: tuple[str, ...] = ("",)
    crossings: tuple[int, int] = (0, 45)
    leases: tuple[bool, ...] = (False, True)
    spans: tuple[int, ...] = (0, 14, 31, 125)
    hours: tuple[int, ...] = (8, 13)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of a life, as `Hunter.take` takes it."""

    minutes: int
    posts: int
    kind: str
    plan: list[Fault]
    said: list[str]
    other: str
    nth: int
    who: str


@dataclass(frozen=True, slots=True)
class Catch:
    """Which assertion caught a mutant, after how many examples, and in which words."""

    number: int
    examples: int
    words: str


class Caught(BaseException):
    """A violation was seen: no more examples."""


class Hunter(Machine):
    """A machine that stops at the first violation, and remembers it."""

    caught: ClassVar[Catch | None] = None

    @contextmanager
    def _explained(self) -> Any:
        try:
            yield
        except Violation as violation:
            hunter = type(self)
            hunter.caught = Catch(violation.number, hunter.examples + 1, str(violation))
            raise Caught from violation

    def take(self, step: Step) -> None:
        """Time passes, posts appear, and something runs, alone or with somebody aside."""
        self.world.wait(timedelta(minutes=step.minutes))
        for _ in range(step.posts):
            self.world.publish_another(age=timedelta(minutes=2))
        if not step.other:
            self.world.run(step.kind, answers=step.said, faults=step.plan)
            return
        if step.other == "refer":
            with referring(step.nth) as aside:
                self.world.run(step.kind, answers=step.said, aside=aside)
            return
        if step.other == "opt out":
            self.world.resume(step.who)
        self.world.run_beside(step.kind, step.nth, step.other, step.who, step.said)

    def teardown(self) -> None:
        """The tail, unless the mutant was caught before."""
        if self.caught is None:
            super().teardown()
        else:
            self.entered.__exit__(None, None, None)
            self.folder.cleanup()
            logging.disable(logging.NOTSET)


def _steps(focus: Focus) -> st.SearchStrategy[Step]:
    return st.builds(
        Step,
        minutes=st.sampled_from(focus.spans),
        posts=st.integers(0, 2),
        kind=st.sampled_from(focus.kinds),
        plan=focus.plans,
        said=focus.answers,
        other=st.sampled_from(focus.asides),
        nth=st.integers(*focus.crossings),
        who=st.sampled_from(draws.ADDRESSES[:2]),
    )


@contextmanager
def referring(nth: int) -> Iterator[Callable[[str, Moment], None]]:
    """A step aside: at the nth crossing another row, of another process, comes to refer to one that
    is sealed, as a foreign key does; its transaction ends after the run, or a second later."""
    crossings, stack = count(), ExitStack()

    def aside(_name: str, _moment: Moment) -> None:
        if next(crossings) == nth:
            other = stack.enter_context(closing(connection.copy()))
            other.set_autocommit(False)
            with other.cursor() as cursor:
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1s'")
                cursor.execute(_REFER)

    with stack:
        yield aside


_REFER: Final = """
SELECT FROM deliveries_delivery WHERE status = 'sealed' ORDER BY id LIMIT 1 FOR KEY SHARE
"""
_HIDDEN: Final = (
    *("publish", "run", "storm", "storm_later", "somebody_in_between", "prune", "wait"),
    *("clock_goes_back", "sign_up_or_edit", "somebody_does", "back_up_or_put_back"),
)


def focused(focus: Focus) -> type[Hunter]:
    """The machine with this distribution."""
    wishes = st.fixed_dictionaries(
        {"mode": st.sampled_from(focus.modes), "digest_hour": st.sampled_from(focus.hours)}
    )

    class Focused(Hunter):
        @initialize(
            at=st.sampled_from(draws.BEGINNINGS[:1]),
            lease=st.sampled_from(focus.leases),
            first=wishes,
            second=wishes,
        )
        def begin(self, at: datetime, lease: bool, first: Any, second: Any) -> None:
            super().begin(at, lease, first, second)
            for kind in focus.opening:
                self.world.run(kind)

        @rule(steps=st.lists(_steps(focus), min_size=4, max_size=STEPS))
        def live(self, steps: list[Step]) -> None:
            for step in steps:
                self.take(step)
                self.nothing_amiss()

    for name in _HIDDEN:
        setattr(Focused, name, None)
    return Focused


def hunt(focus: Focus, most: int) -> Catch | None:
    """Play at most so many examples until something is violated."""
    machine = focused(focus)
    # How hypothesis hands a seed on to a state machine (its `seed` decorator sets the same).
    machine._hypothesis_internal_use_seed = SEED
    machine.examples = 0
    with suppress(Caught):
        run_state_machine_as_test(machine, settings=sought(most, stateful_step_count=2))
    return machine.caught


def sought(most: int, **more: Any) -> settings:
    """So many random examples, and none of them made smaller."""
    return settings(
        max_examples=most,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        **more,
    )

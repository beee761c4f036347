"""The law of the poisoned: whatever one user or one job is, everybody else's outcome is the same.

A script without faults is played twice, once with one poisoned user or job.
"""

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest import mock

from django.db import connection
from hypothesis import given, seed
from hypothesis import strategies as st

from accounts.boundaries import Moment
from accounts.identity import email_of
from deliveries import compose
from deliveries.models import Delivery
from tests.simulation import draws, tables
from tests.simulation.check import number_of
from tests.simulation.hunting import SEED, Catch, Caught, sought
from tests.simulation.violations import Violation, require
from tests.simulation.world import World
from tests.test_isolation import JOB_POISONS, USER_POISONS

VICTIM: Final = "bo@example.com"
BAD_JOB: Final = 2
OTHERS: Final = tuple(email for email in draws.ADDRESSES if email != VICTIM)


@dataclass(frozen=True, slots=True)
class Step:
    """Time passes, a post may appear, somebody else may do something, and something runs."""

    minutes: int
    post: bool
    deed: str
    who: str
    kind: str


@dataclass(frozen=True, slots=True)
class Poison:
    """What is wrong: with the victim, or with the bad job; in the data or in rendering it."""

    of_job: bool
    name: str


@dataclass(frozen=True, slots=True)
class Script:
    """Whose mail comes how, and what happens."""

    wishes: tuple[dict[str, Any], ...]
    steps: tuple[Step, ...]
    poison: Poison


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who got which jobs in how many mails, and the rows of the ledger; the poisoned left out."""

    inbox: "Counter[tuple[str, str, frozenset[int]]]"
    rows: frozenset[tuple[Any, ...]]


poisons = st.one_of(
    st.builds(Poison, st.just(False), st.sampled_from([*USER_POISONS, "rendering"])),
    st.builds(Poison, st.just(True), st.sampled_from([*JOB_POISONS, "rendering"])),
)
steps = st.builds(
    Step,
    minutes=st.sampled_from([1, 31, 125, 23 * 60]),
    post=st.booleans(),
    deed=st.sampled_from(["", "", "", "stop", "resume", "pause", "go on", "move"]),
    who=st.sampled_from(OTHERS),
    kind=st.sampled_from(["scan", "digest"]),
)
scripts = st.builds(
    Script,
    wishes=st.tuples(draws.wishes, draws.wishes, draws.wishes),
    steps=st.lists(steps, min_size=3, max_size=7).map(tuple),
    poison=poisons,
)


def hunt(most: int) -> Catch | None:
    """Play at most so many scripts until the law is broken."""
    lived, caught = count(1), []

    @seed(SEED)
    @sought(most)
    @given(scripts)
    def holds(script: Script) -> None:
        nth = next(lived)
        try:
            law(script)
        except Violation as violation:
            caught.append(Catch(violation.number, nth, str(violation)))
            raise Caught from violation

    logging.disable(logging.CRITICAL)
    try:
        holds()
    except Caught:
        return caught[0]
    finally:
        logging.disable(logging.NOTSET)
    return None


def law(script: Script) -> None:
    """Raises Violation when the poison changes what it must not."""
    healthy, poisoned = play(script, poisoned=False), play(script, poisoned=True)
    words = f"{script.poison.name}: {{}} without it, {{}} with it"
    require(
        healthy.inbox == poisoned.inbox,
        12,
        words.format(healthy.inbox - poisoned.inbox, poisoned.inbox - healthy.inbox),
    )
    require(
        healthy.rows == poisoned.rows,
        12,
        words.format(healthy.rows - poisoned.rows, poisoned.rows - healthy.rows),
    )


def play(script: Script, *, poisoned: bool) -> Outcome:
    """The script once, from an empty database on."""
    tables.wipe()
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), lease=False)
        with world.alive(), _rendering(script.poison if poisoned else None):
            world.set_moment(draws.BEGINNINGS[0])
            for email, wished in zip(draws.ADDRESSES, script.wishes, strict=True):
                world.sign_up(email, **{**wished, "max_jobs_per_day": 100})
            for number in (1, BAD_JOB):
                world.publish(number, age=timedelta(minutes=number))
            for step in script.steps:
                _take(world, step, _poisoning(script.poison) if poisoned else None)
        return _outcome(world, script.poison)


def _take(world: World, step: Step, aside: Callable[[str, Moment], None] | None) -> None:
    world.wait(timedelta(minutes=step.minutes))
    if step.post:
        world.publish_another(age=timedelta(minutes=2))
    if step.deed and step.who in world.people:
        world.does(step.deed, step.who)
    world.run(step.kind, aside=aside)


def _poisoning(poison: Poison) -> Callable[[str, Moment], None]:
    """The poison comes with the first effect of a run, and again once jobs were stored."""
    which = f"WHERE user_id = (SELECT uid FROM accounts_user WHERE email = '{VICTIM}')"
    job = f"WHERE id LIKE '%0{BAD_JOB}'"
    statement = ""
    if poison.name != "rendering":
        change = f"UPDATE jobs_job {JOB_POISONS.get(poison.name, '')} {job}"
        statement = change if poison.of_job else USER_POISONS[poison.name].format(which=which)

    def aside(name: str, moment: Moment) -> None:
        if statement and moment == "after" and name in _POISONED_AT:
            with connection.cursor() as cursor:
                cursor.execute(statement)

    return aside


_POISONED_AT: Final = ("scan: begin", "jobs: store", "digest: begin a tick")


@contextmanager
def _rendering(poison: Poison | None) -> Iterator[None]:
    """No mail can be made that is for the victim, or that holds the bad job."""
    if poison is None or poison.name != "rendering":
        yield
        return

    def breaking(render: Any) -> Any:
        def rendered(context: Any, cards: Any, *more: Any) -> Any:
            bad = {number_of(card.job_id) for card in cards} & {BAD_JOB}
            if bad if poison.of_job else context.recipient == VICTIM:
                raise ZeroDivisionError
            return render(context, cards, *more)

        return rendered

    patches = {f"render_{kind}": breaking(getattr(compose, f"render_{kind}")) for kind in _KINDS}
    with mock.patch.multiple(compose, **patches):
        yield


_KINDS: Final = ("alert", "digest")


def _outcome(world: World, poison: Poison) -> Outcome:
    inbox: Counter[tuple[str, str, frozenset[int]]] = Counter()
    for one in world.provider.taken:
        jobs = frozenset(one.jobs) - ({BAD_JOB} if poison.of_job else set())
        if jobs and (poison.of_job or one.recipient != VICTIM):
            inbox[one.recipient, one.about.kind, jobs] += 1
    rows = set()
    for user, job, *rest in Delivery.objects.values_list(
        "user_id", "job_id", "status", "route", "reason", "score", "threshold", "attempts"
    ):
        left_out = number_of(job) == BAD_JOB if poison.of_job else email_of(user) == VICTIM
        if not left_out:
            rows.add((email_of(user), number_of(job), *rest))
    return Outcome(inbox, frozenset(rows))

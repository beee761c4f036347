"""Two users and two jobs: every point where a process may die, and every pair of them.

The script is a scan, then, when its hour has come, a digest, then the tail.  After a fault the run
is started again, or the other kind of run comes next; that one may die as well.

Why this leaves nothing out though most histories are never run.  A process changes the world only
by committing and by mailing, so what a kill leaves is what is committed and what the provider has
at that moment: one run photographed at each of its crossings shows every kill in it.  What the
next run does depends on the rows and the minute alone, and what is judged depends besides on what
was taken, on how many faults there were and on which mails met them.  So histories that led to one
`State` have one future, and it is enough to go on from each state once.  A tail, too, depends on
the rows and the minute; what it adds to what was taken is judged for every history's end, and what
is amiss in between is amiss at its end, since a mail that was taken stays taken.

Tests hold what this rests on: that real kills leave what the photos show, and that states taken
for equal, though their rows differ, go on in the same way.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from accounts.identity import email_of
from deliveries.models import Delivery
from tests.simulation import check
from tests.simulation.faults import ANY, Fault
from tests.simulation.states import Key, Kind, Photo, Remembering, State
from tests.simulation.tail import AFTER_A_KILL, tail
from tests.simulation.violations import Violation, require
from tests.simulation.world import World

BEGIN: Final = datetime(2026, 11, 25, 11, 50, tzinfo=UTC)
HOUR: Final = BEGIN.replace(hour=13, minute=0)
Step = Literal[Kind, "tail"]
STEPS: Final[tuple[Step, ...]] = ("scan", "digest", "tail")


def settle(world: World, modes: tuple[str, str]) -> None:
    """Two people and two posts, before anything has run."""
    world.set_moment(BEGIN)
    for email, mode in zip(("ana@example.com", "bo@example.com"), modes, strict=True):
        world.sign_up(email, mode=mode, digest_hour=HOUR.hour)
    world.publish(1, age=timedelta(minutes=5))
    world.publish(2, age=None)


@dataclass
class Node:
    """A state before a step, one history that led there, and how many there are."""

    state: State
    history: tuple[str, ...]
    ways: int = 0


@dataclass
class Exploration:
    """Goes through all histories with at most so many deaths; raises Violation.

    With `errors` the first fault may also be a database that fails: the run goes on, and may then
    die itself.  `figures` counts single faults, pairs of them, distinct states and real runs; a
    death in the very run that an error had struck is among the pairs of errors.
    """

    world: Remembering
    most: int = 2
    errors: bool = False
    figures: Counter[str] = field(default_factory=Counter)
    nodes: defaultdict[tuple[int, Step], dict[Any, Node]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    judged: set[Any] = field(default_factory=set)
    tails: dict[Key, Photo] = field(default_factory=dict)
    twins: list[tuple[State, State]] = field(default_factory=list)

    def explore(self) -> "Counter[str]":
        """Every history from the present state on."""
        self._lead("scan", Node(self.world.remember(), (), 1))
        for faults in range(self.most + 1):
            for step in STEPS:
                for node in self.nodes[faults, step].values():
                    self._end(node) if step == "tail" else self._run(step, node)
        self.figures["states"] = len(self.judged)
        self.figures["tails"] = len(self.tails)
        self.figures["runs"] = self.world.runs
        return self.figures

    def _lead(self, step: Step, node: Node) -> None:
        """Take this step later, once for all histories that led to an equal state."""
        known = self.nodes[node.state.faults, step].setdefault(node.state.identity, node)
        if known is node:
            return
        known.ways += node.ways
        if known.state.rows != node.state.rows:
            self.twins.append((known.state, node.state))

    def _run(self, kind: Kind, node: Node) -> None:
        lived = self.world.live(kind, node.state)
        self._whole(kind, self._next(node, lived.end, 0, kind))
        if node.state.faults == self.most:
            return
        for photo in lived.crossings:
            self._struck(self._next(node, photo, 1, f"{kind} killed {photo.where}"), "kills")
        if self.errors and node.state.faults == 0:
            for nth, photo in enumerate(lived.crossings):
                self._fail(kind, node, nth, f"{kind} failed {photo.where}")

    def _fail(self, kind: Kind, node: Node, nth: int, how: str) -> None:
        """The database fails at one crossing; and then the process dies at a later one."""
        fault = Fault(ANY, "before", "database error", nth)
        if self.most == 1:
            end = self.world.end_of(kind, node.state, fault)
            self._struck(self._next(node, end, 1, how), "errors")
            return
        lived = self.world.live(kind, node.state, fault)
        self._struck(self._next(node, lived.end, 1, how), "errors")
        for photo in lived.crossings[nth + 1 :]:
            dead = self._next(node, photo, 2, f"{how}, killed {photo.where}")
            self._struck(dead, "errors")

    def _next(self, node: Node, photo: Photo, faults: int, how: str) -> Node:
        """What one more run led to: judged, the first time it is seen."""
        after = Node(node.state.after(photo, faults), (*node.history, how), node.ways)
        if after.state.identity not in self.judged:
            self.judged.add(after.state.identity)
            self.world.recall(after.state)
            with _told(after):
                check.always(self.world)
        return after

    def _whole(self, kind: Kind, node: Node) -> None:
        if kind == "scan":
            self._lead("digest", Node(node.state.moved_to(HOUR), node.history, node.ways))
        else:
            self._lead("tail", node)

    def _struck(self, node: Node, what: str) -> None:
        """Start again, with the lease on when it is free; or the other kind of run comes first."""
        state = node.state
        self.figures[f"{what}, {'singles' if state.faults == 1 else 'pairs'}"] += node.ways
        if state.faults == self.most:
            self._lead("tail", node)
            return
        again = state.moved_to(state.at + AFTER_A_KILL) if self.world.lease else state
        self._lead("scan", Node(again, node.history, node.ways))
        self._lead("digest", Node(again.moved_to(HOUR), node.history, node.ways))

    def _end(self, node: Node) -> None:
        """The tail, once from equal rows; where it is known, its outcome is judged."""
        known = self.tails.get(node.state.key)
        with _told(node):
            if known is None:
                self.world.recall(node.state)
                tail(self.world)
                self.tails[node.state.key] = self.world.photo_since(node.state)
            else:
                self.world.recall(node.state.after(known, 0))
                check.always(self.world)
            everybody_served(self.world, node.state.faults)


def everybody_served(world: World, faults: int) -> None:
    """After the tail: each job came to each person in exactly one mail, or nobody knows whether it
    came; unknown are at most as many as there were faults, and copies of a digest one more."""
    mails: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for one in world.provider.taken:
        for job in one.jobs:
            mails[one.about.person, job].add(one.envelope)
    unknown = set()
    rows = Delivery.objects.values_list("user_id", "job_id", "status", "route", "mail_id")
    for user_id, job_id, status, route, mail_id in rows:
        pair = world.people[email_of(user_id)], check.number_of(job_id)
        if status == "unconfirmed" and route == "instant":
            unknown.add(mail_id)
            require(mails[pair] <= {mail_id}, 1, f"{pair} came in {mails[pair]}")
        else:
            require(status == "sent", 3, f"{pair} is {status}")
            require(mails[pair] == {mail_id}, 3, f"{pair} came in {mails[pair]}")
    require(len(rows) == 4, 3, f"{len(rows)} rows for two people and two jobs")
    require(len(unknown) <= faults, 3, f"{len(unknown)} unconfirmed after {faults} faults")
    copies = Counter(one.envelope for one in world.provider.taken)
    most = max(copies.values(), default=0)
    require(most <= 1 + faults, 5, f"{most} copies of a mail after {faults} faults")


@contextmanager
def _told(node: Node) -> Iterator[None]:
    try:
        yield
    except Violation as violation:
        violation.add_note("; ".join(node.history))
        raise

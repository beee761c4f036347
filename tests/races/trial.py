"""One row of the table put to the test: at every crossing, patiently and impatiently."""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from psycopg.errors import LockNotAvailable

from deliveries.digest import digest
from deliveries.restoring import ScanRunsError
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError
from deliveries.work.wall import Wall
from jobs.scoring import offer
from tests.races.held import Met, Race, Step
from tests.races.outcomes import book, inbox, standing
from tests.races.scene import Scene
from tests.races.sides import DAY, MINUTE, NOW
from tests.simulation import tables
from tests.simulation.provider import Taken

# In which mail somebody's jobs 1 and 2 came, and what their rows say.
Fate = tuple[str | None, str | None]
Fates = Mapping[str, Fate]
REFUSED = (BusyError, ScanRunsError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One side held, the other beside it; what both come to, and where the other must wait.

    `comes` names the first crossing from which each outcome holds, the others following in order
    ("" is the beginning).  `waits` and `busy` list crossings, or spans "first … last", at which
    the other side is blocked until the first is let go, or is told to come again; nowhere else.
    `fact` must hold, too.  `only` is a pattern that picks crossings.
    """

    start: Callable[[Scene], None]
    held: Step
    beside: Step
    comes: Mapping[str, Fates]
    waits: tuple[str, ...] = ()
    busy: tuple[str, ...] = ()
    fact: Callable[[], bool] = lambda: True
    lease: int = 0
    only: str = ""


@dataclass
class Found:
    """Where the other side waited, or was told to come again; all that was amiss."""

    waits: list[str] = field(default_factory=list)
    busy: list[str] = field(default_factory=list)
    amiss: list[str] = field(default_factory=list)
    cases: int = 0


@dataclass
class Trial:
    """A row in its scene, which has been set."""

    row: Row
    scene: Scene
    race: Race
    caplog: pytest.LogCaptureFixture

    def __post_init__(self) -> None:
        """Remember where everything starts from."""
        offer.forget()
        self._rows = tables.backup()
        self._taken = list(self.scene.provider.taken)
        self._later: dict[str, tuple[list[Taken], dict[tuple[str, int], str]]] = {}
        self.found = Found()
        self.crossings = self.race.crossings(self.row.held)

    def everywhere(self) -> Found:
        """Hold the one side at each crossing; where the other begins to wait, once more with
        another that gives up instead, and tries again later."""
        waited_before = False
        for nth, label in self.crossings.items():
            if not re.search(self.row.only, label):
                continue
            waited = self._case(nth, label)
            if waited and not waited_before:
                self._case(nth, label, impatient=True)
            waited_before = waited
        return self.found

    def expand(self, spans: Iterable[str]) -> list[str]:
        """The crossings that are listed, in their order."""
        labels = list(self.crossings.values())
        listed: set[str] = set()
        for span in spans:
            first, _, last = span.partition(" … ")
            listed.update(labels[labels.index(first) : labels.index(last or first) + 1])
        return [label for label in labels if label in listed and re.search(self.row.only, label)]

    def _case(self, nth: int, label: str, *, impatient: bool = False) -> bool:
        self.found.cases += 1
        tables.restore(self._rows)
        self.scene.provider.taken[:] = self._taken
        self.caplog.clear()
        met = self.race.meet(self.row.held, nth, self.row.beside, impatient=impatient)
        assert met.crossing == label
        place = f"{label}{', impatient' if impatient else ''}"
        amiss = list(self._troubles(met, impatient=impatient))
        self._try_again(met, impatient=impatient)
        came = self._come_to()
        if not self.row.fact():
            amiss.append("the fact does not hold")
        outcomes = self._outcomes(nth)
        if came not in (outcomes if impatient or met.waited else outcomes[:1]):
            amiss.append(f"came to {came}")
        self.found.amiss += [f"{place}: {what}" for what in amiss]
        if met.waited:
            self.found.waits.append(label)
        elif isinstance(met.through, REFUSED) and not impatient:
            self.found.busy.append(label)
        return met.waited

    def _troubles(self, met: Met, *, impatient: bool) -> Iterable[str]:
        """Whatever failed or was swallowed, but for the waiting that an impatient side gave up."""
        records = self.caplog.records
        errors = [record.exc_info[1] for record in records if record.exc_info]
        errors += [answer for answer in (met.held, met.through) if isinstance(answer, Exception)]
        for error in errors:
            gave_up = impatient and isinstance(_root(error), LockNotAvailable)
            if not gave_up and not isinstance(error, REFUSED):
                yield f"{error!r}, from {_root(error)!r}"
        if not impatient:
            yield from (r.getMessage() for r in records if r.levelno >= logging.WARNING)

    def _try_again(self, met: Met, *, impatient: bool) -> None:
        """Whoever was told to, or gave up, comes again when the others are done."""
        sides = self.race.first, self.race.second
        again = isinstance(met.held, REFUSED), impatient or isinstance(met.through, REFUSED)
        for side, step, wanted in zip(sides, (self.row.held, self.row.beside), again, strict=True):
            if wanted:
                answer = side.do(step)
                assert not isinstance(answer, Exception), answer

    def _come_to(self) -> tuple[Any, Any]:
        """Inboxes and ledger after a scan and a digest more, which go alike from like standings."""
        before, key = list(self.scene.provider.taken), standing()
        if key not in self._later:
            ended = scan(_at(15 * MINUTE), Wall(60)), digest(_at(DAY - 15 * MINUTE), Wall(60))
            assert not any(one.errors or one.users_left for one in ended), ended
            self._later[key] = self.scene.provider.taken[len(before) :], book()
        later, rows = self._later[key]
        return inbox(before + later), rows

    def _outcomes(self, nth: int) -> list[tuple[Any, Any]]:
        """What may come of a meeting there, and what when the first side gets further first."""
        labels = list(self.crossings.values())
        here = list(self.crossings).index(nth)
        begins = [labels.index(first) if first else 0 for first in self.row.comes]
        assert begins == sorted(begins), "not in their order"
        own = max(place for place, begin in zip(count(), begins) if begin <= here)
        return [_whole(fates) for fates in list(self.row.comes.values())[own:]]


def _at(after: Any) -> Clock:
    return Clock.set_to(NOW + after)


def _whole(fates: Fates) -> tuple[Any, Any]:
    each = [(name, job, *fate) for name, fate in fates.items() for job in (1, 2)]
    came = {(name, job): [kind] for name, job, kind, _ in each if kind}
    return came, {(name, job): status for name, job, _, status in each if status}


def _root(error: BaseException | None) -> BaseException | None:
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error

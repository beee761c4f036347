"""The world between two runs as a value: put aside, brought back, and recognised when it recurs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from django.db import connection

from accounts.boundaries import Moment
from tests.simulation import moment, tables
from tests.simulation.faults import Fault
from tests.simulation.forms import Rows, form_of, nothing_unread
from tests.simulation.provider import Taken
from tests.simulation.world import Ended, World

Kind = Literal["scan", "digest"]
Key = tuple[str, datetime]


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def _without_order(taken: Iterable[Taken]) -> tuple[Any, ...]:
    return tuple(
        sorted(
            (t.envelope, t.recipient, t.about.kind, str(t.about.day), t.jobs, t.raw) for t in taken
        )
    )


@dataclass(frozen=True, slots=True)
class Photo:
    """What stands if the process dies here: the committed rows, and, from this run on, which mails
    were begun to send and which the provider has."""

    where: str
    rows: Rows = field(repr=False)
    form: str
    at: datetime
    attempts: tuple[str, ...] = ()
    taken: tuple[Taken, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Lived:
    """One run: how it ended, what a kill at each of its crossings leaves, and what it leaves."""

    ended: Ended
    crossings: tuple[Photo, ...]
    end: Photo

    @property
    def outline(self) -> list[tuple[Any, ...]]:
        """Equal for runs that did the same."""
        photos = (*self.crossings, self.end)
        return [(p.where, p.form, p.attempts, _without_order(p.taken)) for p in photos]


@dataclass(frozen=True, slots=True)
class State:
    """Everything that what comes next depends on, or is judged by."""

    rows: Rows = field(repr=False)
    form: str
    at: datetime
    faults: int = 0
    excuses: tuple[tuple[str, int], ...] = ()
    taken: tuple[Taken, ...] = field(default=(), repr=False)

    @property
    def key(self) -> Key:
        """What the next run depends on."""
        return self.form, _minute(self.at)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Equal for states between which neither a run nor a judgement can tell."""
        return *self.key, self.faults, self.excuses, self.accepted

    @property
    def accepted(self) -> tuple[Any, ...]:
        """What the provider has, in whatever order it came."""
        return _without_order(self.taken)

    def after(self, photo: Photo, faults: int) -> "State":
        """This state after a run that came so far and met so many faults."""
        excuses = Counter(dict(self.excuses))
        excuses.update({envelope: faults for envelope in set(photo.attempts) if faults})
        return State(
            rows=photo.rows,
            form=photo.form,
            at=photo.at,
            faults=self.faults + faults,
            excuses=tuple(sorted(excuses.items())),
            taken=self.taken + photo.taken,
        )

    def moved_to(self, at: datetime) -> "State":
        """The same, later."""
        return replace(self, at=max(self.at, at))


@dataclass
class Remembering(World):
    """A world that can be put back, and knows the outcome of every run it has seen."""

    seen: dict[tuple[str, Key, tuple[Fault, ...]], Lived] = field(default_factory=dict)
    runs: int = 0
    _form: str = ""

    def remember(self) -> State:
        """The present state."""
        rows, excuses = tables.backup(), tuple(sorted((+self.excuses).items()))
        taken = tuple(self.provider.taken)
        return State(rows, form_of(rows), self.now(), self.budget, excuses, taken)

    def recall(self, state: State) -> None:
        """Let the world be as it was then."""
        tables.restore(state.rows)
        moment.set_moment(state.at)
        self._form = state.form
        self.budget, self.excuses = state.faults, Counter(dict(state.excuses))
        self.provider.taken, self.provider.attempts = list(state.taken), []
        self.provider.given, self.journal = [], []

    def live(self, kind: Kind, state: State, *faults: Fault) -> Lived:
        """What a run at this state comes to, photographed at every crossing."""
        key = (kind, state.key, faults)
        if key not in self.seen or not self.seen[key].crossings:
            self.recall(state)
            self.seen[key] = self._photographed(kind, faults)
        return self.seen[key]

    def end_of(self, kind: Kind, state: State, *faults: Fault) -> Photo:
        """What such a run leaves, without photos: they take their time."""
        self.recall(state)
        self._run(kind, faults=faults)
        return self.photo_since(state)

    def run(
        self,
        kind: str,
        *,
        answers: Sequence[str] = (),
        faults: Sequence[Fault] = (),
        aside: Callable[[str, Moment], None] | None = None,
    ) -> Ended:
        """One run; one without faults whose outcome is known is not run again but recalled."""
        if answers or faults or aside:
            return self._run(kind, answers=answers, faults=faults, aside=aside)
        key = (self._form or form_of(tables.backup()), _minute(self.now()))
        known = self.seen.get((kind, key, ()))
        if known is None:
            counts = len(self.provider.taken), len(self.provider.attempts)
            known = Lived(self._run(kind), (), self._photo("the end", None, *counts))
            self.seen[kind, key, ()] = known
        else:
            tables.restore(known.end.rows)
            moment.set_moment(known.end.at)
            self.provider.taken += known.end.taken
            self.provider.attempts += known.end.attempts
        self._form = known.end.form
        return known.ended

    def photo_since(self, state: State) -> Photo:
        """What stands now, and what has left since a state that was recalled."""
        return self._photo("the end", None, len(state.taken), 0)

    def _run(self, kind: str, **options: Any) -> Ended:
        self.runs, self._form = self.runs + 1, ""
        with connection.execute_wrapper(nothing_unread):
            return super().run(kind, **options)

    def _photographed(self, kind: Kind, faults: tuple[Fault, ...]) -> Lived:
        counts = len(self.provider.taken), len(self.provider.attempts)
        photos = [self._photo("the start", None, *counts)]

        def aside(name: str, when: Moment) -> None:
            photos.append(self._photo(f"{when} {name}", photos[-1], *counts))

        ended = self._run(kind, faults=faults, aside=aside)
        return Lived(ended, tuple(photos[1:]), self._photo("the end", None, *counts))

    def _photo(self, where: str, last: Photo | None, taken: int, attempts: int) -> Photo:
        """Inside a transaction nothing is committed: the rows are those of the last photo."""
        attempted, accepted = self.provider.attempts[attempts:], self.provider.taken[taken:]
        if last is not None and connection.in_atomic_block:
            return replace(last, where=where, attempts=tuple(attempted), taken=tuple(accepted))
        rows = tables.backup()
        form = last.form if last is not None and rows == last.rows else form_of(rows)
        return Photo(where, rows, form, self.now(), tuple(attempted), tuple(accepted))

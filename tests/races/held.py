"""Two sides of a race, each on a connection of its own: one is held where it crosses a boundary,
the other runs through, or waits until the first is let go."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

from django.db import connection
from django.db.backends.signals import connection_created

from accounts.boundaries import Moment, watched

PATIENCE: Final = 10.0  # seconds, after which something hangs
NEVER: Final = -1
Step = Callable[..., Any]

_LOOKS: Final = 0.01  # seconds between looks at who waits for whom
_LONG, _SHORT = "8s", "15ms"
_WAITS: Final = "SELECT %s = ANY(pg_blocking_pids(%s))"
_IDLE: Final = "SELECT pg_current_xact_id_if_assigned() IS NULL"


class Side:
    """A thread with a database connection, which it keeps from step to step."""

    def __enter__(self) -> Self:
        """Start the thread."""
        self.pid = 0
        self._lock_timeout = _LONG
        self._pool = ThreadPoolExecutor(1)
        self._thread = self._pool.submit(threading.get_ident).result(PATIENCE)
        connection_created.connect(self._connected)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection, and wait for the thread to end."""
        self._pool.submit(lambda: connection.close())
        self._pool.shutdown()
        connection_created.disconnect(self._connected)

    def start(self, step: Step, *, lock_timeout: str = _LONG) -> "Future[Any]":
        """Begin a step; its future holds what it returned, or the error that it raised."""
        ready = threading.Event()

        def run() -> Any:
            try:
                self._lock_timeout = lock_timeout
                connection.ensure_connection()
                self._connected(connection=connection)
                ready.set()
                return step()
            except Exception as error:  # it is the answer
                return error
            finally:
                ready.set()

        future = self._pool.submit(run)
        assert ready.wait(PATIENCE), "the thread is still at its last step"
        return future

    def do(self, step: Step) -> Any:
        """What a step returned, or the error that it raised."""
        return self.start(step).result(PATIENCE)

    def _connected(self, *, connection: Any, **_: object) -> None:
        """Also when a step opened another connection."""
        if threading.get_ident() == self._thread:
            self.pid = connection.connection.info.backend_pid
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = '{self._lock_timeout}'")


@dataclass
class Holder:
    """Watches the thread that calls `begin`, and holds it at its nth crossing (from 0).

    A label says the moment, the boundary and, from 2, how often it was crossed.
    """

    nth: int = NEVER
    crossed: list[str] = field(default_factory=list)
    reached: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    thread: int = 0
    _counted: Counter[str] = field(default_factory=Counter)

    def begin(self) -> None:
        """Watch this thread from now on."""
        self.thread = threading.get_ident()

    def __call__(self, name: str, moment: Moment) -> None:
        """Watch one crossing."""
        if threading.get_ident() != self.thread:
            return
        label = f"{moment} {name}"
        self._counted[label] += 1
        again = self._counted[label]
        self.crossed.append(label if again == 1 else f"{label} ({again})")
        if len(self.crossed) == self.nth + 1:
            self.reached.set()
            assert self.released.wait(PATIENCE), f"held for ever {label}"


@dataclass
class Scout(Holder):
    """Finds the crossings at which others see something new.

    Not among them are: one that follows another without a look at the database in between, the
    end of a commit inside another one, and both sides of a commit whose transaction has neither
    changed nor locked a row.
    """

    seen: dict[int, str] = field(default_factory=dict)
    _open: list[tuple[int, bool]] = field(default_factory=list)
    _looked: bool = True

    def __call__(self, name: str, moment: Moment) -> None:
        """Look at one crossing."""
        if threading.get_ident() != self.thread:
            return
        super().__call__(name, moment)
        looked, self._looked = self._looked, moment == "before"  # the effect itself comes next
        depth = len(connection.savepoint_ids) + connection.in_atomic_block
        if moment == "before":
            idle = bool(depth) and self._is_idle()
            self._open.append((depth, idle))
        else:
            opened, idle = self._open.pop()
            idle = idle or (depth > 0 and depth < opened)
        if looked and not idle:
            self.seen[len(self.crossed) - 1] = self.crossed[-1]

    def look(self, execute: Step, *arguments: Any) -> Any:
        """Wraps every statement of the step."""
        self._looked = True
        return execute(*arguments)

    def _is_idle(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute(_IDLE)
            return bool(cursor.fetchone()[0])


@dataclass(frozen=True, slots=True)
class Met:
    """Where the first side was held, whether the second had to wait, and both their answers."""

    crossing: str
    waited: bool
    held: Any
    through: Any


@dataclass
class Race:
    """Two sides, and the test's own connection, which looks on."""

    first: Side
    second: Side

    def crossings(self, step: Step) -> dict[int, str]:
        """Where a step may be held, as it goes when nobody else is there."""
        scout = Scout()

        def looked_at() -> Any:
            with connection.execute_wrapper(scout.look):
                return step()

        with self._holding(scout, looked_at) as ended:
            answer = ended.result(PATIENCE)
        assert not isinstance(answer, Exception), answer
        return scout.seen

    def meet(self, held: Step, nth: int, through: Step, *, impatient: bool = False) -> Met:
        """Hold one step at its nth crossing; let the other run through, or until it waits for the
        first; then let go, and see both to their end.

        Impatient, the other gives up instead of waiting, before the first is let go.
        """
        holder = Holder(nth)
        with self._holding(holder, held) as ended:
            assert holder.reached.wait(PATIENCE), "never reached"
            assert len(holder.crossed) == nth + 1, f"ended after {holder.crossed}"
            other = self.second.start(through, lock_timeout=_SHORT if impatient else _LONG)
            waited = self._waits(other, look=not impatient)
            holder.released.set()
            answers = ended.result(PATIENCE), other.result(PATIENCE)
        return Met(holder.crossed[nth], waited, *answers)

    @contextmanager
    def _holding(self, holder: Holder, step: Step) -> "Iterator[Future[Any]]":
        def begin() -> Any:
            holder.begin()
            try:
                return step()
            finally:
                holder.reached.set()

        with watched(holder):
            try:
                yield self.first.start(begin)
            finally:
                holder.released.set()

    def _waits(self, other: "Future[Any]", *, look: bool) -> bool:
        """Whether the second side waits for the first; False when it has ended."""
        if not look:
            assert wait([other], PATIENCE).done, "the impatient side hangs"
        while not wait([other], _LOOKS).done:
            with connection.cursor() as cursor:
                cursor.execute(_WAITS, [self.first.pid, self.second.pid])
                if cursor.fetchone()[0]:
                    return True
        return False

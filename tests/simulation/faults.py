"""Faults at boundaries: a kill, a failing database, a reply that is lost, somebody else's run."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from django.db import OperationalError, connection

from accounts.boundaries import Moment, watched

KINDS: Final = ("kill", "database error")
ANY: Final = "*"


class Killed(BaseException):
    """The process is gone: no handler runs, and nothing it does from here on counts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens at the nth crossing (from 0) of a boundary, before its effect or after it.

    `kind`: "kill", "database error" (before a commit: it fails; after it: its reply is lost).
    The boundary ANY stands for every crossing there is, of either moment.
    """

    boundary: str
    moment: Moment
    kind: str
    nth: int = 0


@dataclass
class Faulty:
    """Injects faults into the thread that made it; knows which of them struck."""

    faults: Sequence[Fault] = ()
    aside: Callable[[str, Moment], None] = lambda _name, _moment: None
    struck: list[Fault] = field(default_factory=list)
    crossed: Counter[tuple[str, Moment]] = field(default_factory=Counter)
    dead: bool = False
    thread: int = field(default_factory=threading.get_ident)

    def __call__(self, name: str, moment: Moment) -> None:
        """Watch one crossing."""
        if threading.get_ident() != self.thread:
            return
        if self.dead:
            raise Killed("dead already")
        nth, nth_of_all = self.crossed[name, moment], self.crossed.total()
        self.crossed[name, moment] += 1
        self.aside(name, moment)
        for fault in self.faults:
            named = (fault.boundary, fault.moment, fault.nth) == (name, moment, nth)
            if named or (fault.boundary, fault.nth) == (ANY, nth_of_all):
                self._strike(replace(fault, boundary=name, moment=moment))

    def die(self, how: str) -> None:
        """End this process here and now."""
        self.dead = True
        raise Killed(how)

    def _strike(self, fault: Fault) -> None:
        self.struck.append(fault)
        if fault.kind == "kill":
            self.die(f"{fault.moment} {fault.boundary}")
        if not connection.in_atomic_block:
            connection.close()  # the reply was lost because the connection was
        raise OperationalError(f"injected {fault.moment} {fault.boundary}")


@contextmanager
def strikes(faulty: Faulty) -> Iterator[None]:
    """A run in which the faults strike; a killed one ends here, its connection with it."""
    try:
        with watched(faulty):
            yield
    except Killed:
        faulty.dead = True
        connection.close()

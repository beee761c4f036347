"""Boundaries: the named places where this program changes something outside itself.

Between two boundaries a process only thinks: killed there, it leaves what the last one left.  So a
test that fails or kills at each of them has tried every moment there is.  Nothing here changes
what an effect does; the watcher exists for tests and is nobody otherwise.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from django.db import transaction

Moment = Literal["before", "after"]
Watcher = Callable[[str, Moment], None]

_watchers: list[Watcher] = []


@contextmanager
def commit(name: str, *, durable: bool = False) -> Iterator[None]:
    """A transaction that is kept: watched as the last thing before its commit, and after it.

    Inside another one it is a savepoint, kept or lost with that.  `durable`: this is the outermost,
    or RuntimeError is raised (Django's `atomic`).
    """
    with transaction.atomic(durable=durable):
        yield
        _cross(name, "before")
    _cross(name, "after")


@contextmanager
def effect(name: str) -> Iterator[None]:
    """A change that no transaction covers: a mail, a request, a file, a task handed over."""
    _cross(name, "before")
    yield
    _cross(name, "after")


@contextmanager
def undone() -> Iterator[None]:
    """A transaction of which nothing is kept."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let `watcher` see every crossing of every thread while inside; what it raises is raised
    there, as if the process had failed or died at that moment."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def _cross(name: str, moment: Moment) -> None:
    for watcher in tuple(_watchers):
        watcher(name, moment)

"""The wall: how long a command may go on, and the wish to stop before that."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Wall:
    """Counts down from `seconds`; `stop()` ends it early, as SIGTERM does.

    `monotonic` is the clock it counts by, in seconds.
    """

    def __init__(self, seconds: float, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Start counting now."""
        self._monotonic = monotonic
        self._started = monotonic()
        self.seconds = seconds
        self.stopped = False

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self._monotonic() - self._started

    def leaves(self, seconds: float) -> bool:
        """Whether a step that may take so long still fits; never after `stop()`."""
        return not self.stopped and self.elapsed + seconds <= self.seconds

    def stop(self) -> None:
        """Ask for a stop in good order: the step in hand is finished, no other is begun."""
        self.stopped = True


@contextmanager
def stopping_on_sigterm(wall: Wall) -> Iterator[None]:
    """While inside, SIGTERM and SIGINT stop the wall instead of the process.

    Only a main thread can do that; in any other this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        wall.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

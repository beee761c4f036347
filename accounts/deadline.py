"""Time limits for a whole operation, where libraries only limit each step of it."""

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Deadline:
    """A moment on the monotonic clock, `seconds` from its making."""

    def __init__(self, seconds: float) -> None:
        """Start counting."""
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left; 0.0 once it has passed."""
        return max(0.0, self._at - time.monotonic())

    def remaining(self) -> float:
        """Seconds left, above zero.  Raises TimeoutError when none are."""
        left = self.left()
        if not left:
            raise TimeoutError("time limit reached")
        return left


def within(seconds: float, function: Callable[[], T]) -> T:
    """Call `function`, but wait at most `seconds` for it; raises TimeoutError after that.

    For calls that cannot be interrupted (name look-up, a whole HTTP request).  The call then goes
    on in a daemon thread and its result is dropped, so only use it where that does no harm.
    """
    answers: queue.SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((function(), None))
        except BaseException as error:  # noqa: BLE001  # carried over to the waiting thread, whatever it is
            answers.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        value, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError("time limit reached") from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]  # set whenever error is not

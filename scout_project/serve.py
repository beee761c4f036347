"""`./dev serve`: the web site and the worker side by side, stopped together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MANAGE = [sys.executable, str(Path(__file__).resolve().parent.parent / "manage.py")]
PATIENCE = 20  # seconds the worker gets to finish its task


def serve(address: str) -> int:
    """Run web and worker until one ends or this process is told to; then stop both, in order.

    The worker's schedules are put in step before it starts.  Returns 0 when told to stop,
    otherwise the exit status of the one that ended.
    """
    development = not (os.environ.get("DATABASE_URL") or os.environ.get("SITE_URL"))
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        print(f"{address!r} is no address to serve at: write one such as 127.0.0.1:8000.")
        return 2
    gunicorn = [sys.executable, "-m", "gunicorn", "scout_project.wsgi", "--bind", address]
    web = [*MANAGE, "runserver", address] if development else gunicorn
    with interruptible():
        running: list[subprocess.Popen[bytes]] = []
        try:
            # A session each: the worker must get its signal once only.
            running.append(subprocess.Popen(web, start_new_session=True))
            if status := subprocess.run([*MANAGE, "sync_schedules"]).returncode:
                return status
            running.append(subprocess.Popen([*MANAGE, "qcluster"], start_new_session=True))
            while all(process.poll() is None for process in running):
                time.sleep(0.2)
            return max(process.returncode or 0 for process in running if process.poll() is not None)
        except KeyboardInterrupt:
            return 0
        finally:
            end(running)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let SIGTERM do what Ctrl-C does, and Ctrl-C also where a shell had it ignored."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def end(running: list[subprocess.Popen[bytes]]) -> None:
    """Ask the processes to end; kill, with all they started, what has not in time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for process in running:
        process.terminate()
    deadline = time.monotonic() + PATIENCE
    for process in running:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.1, deadline - time.monotonic()))
        # Also of one that ended by itself, or was killed: nothing it started may live on.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(serve(*(sys.argv[1:2] or ["127.0.0.1:8000"])))

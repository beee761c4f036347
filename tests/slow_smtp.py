"""A well-behaved but slow SMTP server in a process of its own, so that kills land inside sends.

`python -m tests.slow_smtp --spool DIR --pause SECONDS` prints its port.  It waits before it answers
RCPT, after the last byte of a message, and once more between taking the message and saying so.
"""

import argparse
import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import Envelope

from tests.smtp_server import RecordingSMTP


class SlowSMTP(RecordingSMTP):
    """Waits `pause` seconds at each of three phases."""

    def __init__(self, spool: Path, pause: float) -> None:
        super().__init__(spool)
        self.pause = pause

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """aiosmtpd's hook for a recipient."""
        await asyncio.sleep(self.pause)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        """aiosmtpd's hook for a whole message."""
        await asyncio.sleep(self.pause)
        answer = await super().handle_DATA(server, session, envelope)
        await asyncio.sleep(self.pause)
        return answer


def main() -> None:
    """Serve until SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spool", type=Path, required=True)
    parser.add_argument("--pause", type=float, required=True)
    asked = parser.parse_args()
    asked.spool.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    with SlowSMTP(asked.spool, asked.pause) as server:
        print(server.port, flush=True)  # noqa: T201  # what the caller waits for
        threading.Event().wait()


if __name__ == "__main__":
    main()

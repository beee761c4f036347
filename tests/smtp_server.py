"""SMTP servers on loopback: one that records (aiosmtpd), one that misbehaves as told.

In a process of its own, so that it outlives whoever is killed while sending:
`python -m tests.smtp_server --port 0 --spool DIR [--fault content:hang:accept ...]` prints its
port; what it accepts stands in DIR as `<time>-<n>.json` (sender, recipients, at) and `.eml`,
which `read_spool` reads.
"""

import argparse
import asyncio
import logging
import os
import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from aiosmtpd.smtp import SMTP, Envelope

from tests.listening import HOST
from tests.smtp_faults import Accepted, Fault, FaultySMTP, Records, read_spool

# Its threads would tell of every dialogue, also when a test's output is closed already.
logging.getLogger("mail.log").setLevel(logging.ERROR)

__all__ = ["Accepted", "Fault", "FaultySMTP", "RecordingSMTP", "read_spool"]


class RecordingSMTP(Records):
    """A well-behaved server (aiosmtpd) in a thread; `tls` offers STARTTLS.  A context manager."""

    def __init__(self, spool: Path | None = None, *, port: int = 0, **options: Any) -> None:
        super().__init__(spool)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.host, self.port, self.options = HOST, port, options
        self.server: asyncio.Server | None = None
        self.dialogues: list[SMTP] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802
        """aiosmtpd's hook for a whole message."""
        content = envelope.original_content or b""
        self.add(envelope.mail_from or "", envelope.rcpt_tos, content)
        return "250 OK"

    async def _serve(self) -> None:
        ssl_context = self.options.pop("implicit_tls", None)

        def protocol() -> SMTP:
            options = {"enable_SMTPUTF8": True, "hostname": "server.test", **self.options}
            self.dialogues.append(SMTP(self, **options))
            return self.dialogues[-1]

        self.server = await self.loop.create_server(protocol, HOST, self.port, ssl=ssl_context)
        self.port = self.server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        if self.server is not None:
            self.server.close()
        for dialogue in self.dialogues:
            for transport in (dialogue.transport, dialogue._original_transport):
                if isinstance(transport, asyncio.Transport):
                    transport.abort()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.01)  # transports close in the loop's next turns

    def __enter__(self) -> Self:
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self._serve(), self.loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()


def main() -> None:
    """Serve until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--spool", type=Path, required=True)
    parser.add_argument("--fault", type=Fault.parse, action="append", help="one an attempt")
    parser.add_argument("--then", type=Fault.parse, help="for all attempts after those")
    asked = parser.parse_args()
    asked.spool.mkdir(parents=True, exist_ok=True)
    server: RecordingSMTP | FaultySMTP
    if asked.fault or asked.then:
        server = FaultySMTP(asked.fault or (), then=asked.then, spool=asked.spool, port=asked.port)
    else:
        server = RecordingSMTP(asked.spool, port=asked.port)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    with server, suppress(KeyboardInterrupt):
        print(server.port, flush=True)  # noqa: T201  # what the caller waits for
        threading.Event().wait()


if __name__ == "__main__":
    main()

"""An SMTP server on loopback that misbehaves as told, and what servers record."""

import itertools
import json
import socket
import struct
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.listening import Listening

PHASES = (
    *("banner", "ehlo", "starttls", "auth", "mail", "rcpt", "data", "body", "content"),
    *("noop", "rset", "quit"),
)
ACTIONS = ("disconnect", "reset", "hang", "drip", "garbage", "flood")


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """One message a server took: CRLF line ends, dots unstuffed; `at` is seconds since 1970."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Fault:
    """What a server does instead of its usual reply, at one of PHASES.

    `action` is a reply ("451", "550 no such user", with newlines for more lines) or one of ACTIONS:
    hang says nothing until closed, drip a byte of an endless reply every tenth of a second, flood
    endless lines; `closing` hangs up after a reply.  At "content" (the reply to the final dot) the
    message is recorded first if `accept`; "body" strikes while it is still being written.
    """

    phase: str
    action: str
    accept: bool = False
    closing: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """From `phase:action[:accept]`, as on the command line; the action may hold colons."""
        phase, _, action = text.partition(":")
        shorn = action.removesuffix(":accept")
        return cls(phase, shorn, shorn != action)

    def __post_init__(self) -> None:
        """Refuse what no server would notice."""
        if self.phase not in PHASES or not (self.action in ACTIONS or self.action[:3].isdigit()):
            raise ValueError(f"no such fault: {self.phase}:{self.action}")


class Records:
    """What was accepted, in memory and, given a folder, in files that appear whole."""

    def __init__(self, spool: Path | None = None) -> None:
        self.accepted: list[Accepted] = []
        self.spool = spool
        self.numbers = itertools.count(1)

    def add(self, sender: str, recipients: Iterable[str], raw: bytes) -> None:
        """Record one message before the client hears of it."""
        mail = Accepted(sender=sender, recipients=tuple(recipients), raw=raw, at=time.time())
        if self.spool is not None:
            name = self.spool / f"{time.time_ns()}-{next(self.numbers)}"
            facts = {"sender": sender, "recipients": mail.recipients, "at": mail.at}
            for suffix, content in ((".eml", raw), (".json", json.dumps(facts).encode())):
                name.with_suffix(".part").write_bytes(content)
                name.with_suffix(".part").rename(name.with_suffix(suffix))
        self.accepted.append(mail)


def read_spool(spool: Path) -> list[Accepted]:
    """What a server in another process has recorded so far, oldest first."""
    found = []
    for path in sorted(spool.glob("*.json")):
        facts = json.loads(path.read_bytes())
        raw = path.with_suffix(".eml").read_bytes()
        recipients = tuple(facts["recipients"])
        found.append(
            Accepted(sender=facts["sender"], recipients=recipients, raw=raw, at=facts["at"])
        )
    return found


class FaultySMTP(Records, Listening):
    """A server that misbehaves as told.  A context manager.

    Attempt n meets `script[n]` (None: no fault), later ones `then`.  An attempt begins with a
    connection, and with each MAIL after the connection's first.  Commands seen stand in `heard`.
    """

    def __init__(
        self,
        script: Sequence[Fault | None] = (),
        *,
        then: Fault | None = None,
        features: Sequence[str] = ("8BITMIME", "SMTPUTF8", "AUTH PLAIN LOGIN", "STARTTLS"),
        spool: Path | None = None,
        port: int = 0,
    ) -> None:
        Records.__init__(self, spool)
        Listening.__init__(self, port)
        self.steps = itertools.chain(script, itertools.repeat(then))
        self.features = tuple(features)
        self.heard: list[str] = []

    def begin(self, peer: socket.socket) -> None:
        """Hold one dialogue."""
        self.start(_Dialogue(self, peer, next(self.steps)).run)


class _GoneError(Exception):
    """This dialogue is over."""


class _Dialogue:
    """One connection of FaultySMTP."""

    def __init__(self, server: FaultySMTP, peer: socket.socket, fault: Fault | None) -> None:
        self.server, self.peer, self.fault = server, peer, fault
        self.file = peer.makefile("rb")
        self.sender, self.recipients, self.mails, self.busy = "", list[str](), 0, False

    def run(self) -> None:
        """Talk until either side has had enough."""
        with self.peer, self.file, suppress(OSError, _GoneError):
            self.reply("banner", "220 server.test")
            for line in self.file:
                self.command(line.decode("utf-8", "replace").rstrip("\r\n"))

    def command(self, line: str) -> None:
        """Answer one command."""
        verb = line.partition(" ")[0].upper()
        self.server.heard.append(line)
        match verb:
            case "EHLO":
                self.reply("ehlo", "\n".join(f"250 {one}" for one in ("hi", *self.server.features)))
            case "STARTTLS":
                self.reply("starttls", "454 no TLS here")
            case "AUTH":
                self.reply("auth", "235 welcome")
            case "MAIL":
                self.begin_mail(line)
            case "RCPT":
                self.recipients.append(_address(line))
                self.reply("rcpt", "250 OK")
            case "DATA":
                self.reply("data", "354 go on")
                if self.fault is None or self.fault.phase != "data":
                    self.content()
            case "RSET":
                self.busy = False
                self.reply("rset", "250 OK")
            case "QUIT":
                self.reply("quit", "221 bye")
                raise _GoneError
            case _:
                self.reply(verb.lower(), "250 OK")

    def begin_mail(self, line: str) -> None:
        """Start an attempt, the connection's first having started with it."""
        if self.busy:
            return self.write("503 nested MAIL")
        if self.mails:
            self.fault = next(self.server.steps)
        self.mails += 1
        self.sender, self.recipients, self.busy = _address(line), [], True
        return self.reply("mail", "250 OK")

    def content(self) -> None:
        """Read the message up to its final dot, and say what became of it."""
        if self.fault and self.fault.phase == "body":
            self.reply("body", "")
        lines = []
        while (line := self.file.readline()) != b".\r\n":
            if not line:
                raise _GoneError
            lines.append(line[1:] if line.startswith(b".") else line)
        strikes = self.fault is not None and self.fault.phase == "content"
        if self.fault is None or not strikes or self.fault.accept:
            self.server.add(self.sender, self.recipients, b"".join(lines))
        self.busy = False
        self.reply("content", "250 OK queued")

    def reply(self, phase: str, usual: str) -> None:
        """The usual reply, or the fault of this attempt where its phase has come."""
        if self.fault is None or self.fault.phase != phase:
            return self.write(usual)
        action = self.fault.action
        if action not in ACTIONS:
            self.write(action)
            if not self.fault.closing:
                return None
        if action == "garbage":
            return self.peer.sendall(b"\xff\xfe this is no SMTP\r\n")
        if action == "reset":  # closing with a linger time of zero sends RST
            self.peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        while action == "hang" and self.peer.recv(65_536):
            pass
        while action == "drip" and not self.server.stopped.wait(0.1):
            self.peer.sendall(b"2")
        while action == "flood":
            self.peer.sendall(b"250-more\r\n" * 100)
        raise _GoneError

    def write(self, reply: str) -> None:
        """One reply of one or more lines, continued as RFC 5321 section 4.2.1 has it."""
        lines = reply.split("\n")
        code = lines[0][:3]
        texts = [line[4:] if line.startswith(code) else line for line in lines]
        out = [f"{code}-{text}\r\n" for text in texts[:-1]] + [f"{code} {texts[-1]}\r\n"]
        self.peer.sendall("".join(out).encode())


def _address(line: str) -> str:
    return line.partition("<")[2].partition(">")[0]

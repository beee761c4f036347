"""A mail provider on loopback, Resend and Brevo in one, that misbehaves as told."""

import json
import socket
import struct
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from tests.listening import Listening

ENDINGS: Final = ("", "reset", "hang", "drip", "flood")
BACKENDS: Final = {name: f"anymail.backends.{name}.EmailBackend" for name in ("resend", "brevo")}
_FLOOD: Final = b"x" * 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived; the names of `headers` in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def key(self) -> str:
        """The idempotency key, wherever the provider wants it."""
        in_mail = json.loads(self.body)["headers"].get("idempotencyKey", "")
        return self.headers.get("idempotency-key", in_mail)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a provider does instead of what is right.

    `raw` is written, and then comes `ending`: nothing more, a reset, silence, a byte every tenth of
    a second or as many bytes as the client reads, for ever.  `accept`: the mail is taken first.
    """

    raw: bytes
    ending: str = ""
    accept: bool = False

    @property
    def said(self) -> str:
        """How a mail's error names this: its status, or that there was none."""
        head = self.raw.partition(b"\r\n\r\n")
        return self.raw[9:12].decode() if head[1] and head[0].startswith(b"HTTP/1.1 ") else "broken"


def answer(
    status: str,
    body: bytes = b"{}",
    *,
    headers: Sequence[str] = (),
    ending: str = "",
    accept: bool = False,
    cut: bool = False,
) -> Answer:
    """An answer of HTTP; with an ending or `cut` its body is shorter than it promises."""
    length = len(body) + (10**9 if ending or cut else 0)
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {length}", *headers, "", ""]
    return Answer("\r\n".join(lines).encode() + body, ending, accept)


def refusal(status: str, name: str, message: str = "no") -> Answer:
    """An error in both providers' shapes: Resend says `name` and `message`, Brevo `code`."""
    said = {"statusCode": int(status[:3]), "name": name, "code": name, "message": message}
    return answer(status, json.dumps(said).encode())


class HttpProvider(Listening):
    """A provider that answers attempt n by `script[n]` (None: as it should), later ones by `then`.

    A context manager.  `seen` holds every request that came whole, `accepted` the keys of mails
    taken, in order.  A key taken before is answered as documented (sources in
    `deliveries.sending.http`), as if no time had passed.
    """

    def __init__(self, script: Sequence[Answer | None] = (), *, then: Answer | None = None) -> None:
        super().__init__()
        self.steps = iter(script)
        self.then = then
        self.seen: list[Request] = []
        self.accepted: list[str] = []
        self.ended = threading.Semaphore(0)  # released at the end of each connection
        self.bodies: dict[str, bytes] = {}
        self.url = f"http://{self.host}:{self.port}/"

    def settings(self) -> dict[str, str]:
        """What ANYMAIL has to hold."""
        keys = {"RESEND_API_KEY": "k1", "BREVO_API_KEY": "k2"}
        return {"RESEND_API_URL": self.url, "BREVO_API_URL": self.url, **keys}

    def begin(self, peer: socket.socket) -> None:
        """Serve one request."""
        self.start(self._serve, peer)

    def _serve(self, peer: socket.socket) -> None:
        with peer, suppress(OSError):
            request = _read(peer)
            if request is not None:
                self.seen.append(request)
                self._answer(peer, request, next(self.steps, self.then))
        self.ended.release()

    def _answer(self, peer: socket.socket, request: Request, told: Answer | None) -> None:
        usual = self._take(request) if told is None or told.accept else None
        chosen = told or usual or Answer(b"")
        peer.sendall(chosen.raw)
        if chosen.ending == "reset":  # closing with a linger time of zero sends RST
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        while chosen.ending == "hang" and peer.recv(65_536):
            pass
        while chosen.ending == "drip" and not self.stopped.wait(0.1):
            peer.sendall(b" ")
        while chosen.ending == "flood":
            peer.sendall(_FLOOD)

    def _take(self, request: Request) -> Answer:
        """Accept a mail, or say that its key is known."""
        key, brevo = request.key, request.path == "/smtp/email"
        known = self.bodies.setdefault(key, request.body)
        if key not in self.accepted:
            self.accepted.append(key)
        elif brevo:
            return refusal("400 Bad Request", "duplicate_parameter")
        elif known != request.body:
            return refusal("409 Conflict", "invalid_idempotent_request")
        said = {"id": f"id-of-{key}", "messageId": f"id-of-{key}"}
        return answer("201 Created" if brevo else "200 OK", json.dumps(said).encode())


def _read(peer: socket.socket) -> Request | None:
    """One whole request; None when the client hung up before it was, or speaks TLS."""
    with peer.makefile("rb") as file:
        if file.peek(1)[:1] == b"\x16":
            return None
        first = file.readline().decode("latin-1").split()
        headers: dict[str, str] = {}
        while (line := file.readline().decode("latin-1").strip()) != "":
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", 0))
        body = file.read(length)
    whole = len(first) == 3 and len(body) == length
    return Request(path=first[1], headers=headers, body=body) if whole else None

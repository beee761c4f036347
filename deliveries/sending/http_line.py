"""The line to a provider over HTTP: one request, bounded in time and size, its phase known."""

import socket
import threading
from contextlib import suppress
from io import BytesIO
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter

MAX_ANSWER: Final = 16_384  # bytes, unpacked; a provider says what it has to say in some hundred


class Line(HTTPAdapter):
    """Carries one request, and knows how far it came.

    `connected`: a connection stands (TLS and a proxy's tunnel included), so that the request may
    have left; while it is False not a byte of it has.  `answer`: its status and headers are known
    as soon as they were read, its body is cut at MAX_ANSWER and empty until it was read.
    """

    def __init__(self) -> None:
        """Contact nobody."""
        super().__init__()
        self.connected = False
        self.answer: requests.Response | None = None
        self._given_up = False
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def give_up(self) -> None:
        """Let nothing leave that has not left yet, and end what somebody may be waiting for.

        After this `connected` does not change any more.
        """
        with self._lock:
            self._given_up = True
            open_socket = self._socket
        if open_socket is not None:
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)

    def begin(self, open_socket: socket.socket) -> None:
        """Note that a connection stands.  Raises ConnectionAbortedError once given up."""
        with self._lock:
            if self._given_up:
                raise ConnectionAbortedError("given up before it was connected")
            self._socket = open_socket
            self.connected = True

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        """A pool of connections that tell this line when they stand."""
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        line = self

        class Watched(pool.ConnectionCls):  # type: ignore[name-defined,misc]  # known at run time
            def connect(self) -> None:
                super().connect()
                line.begin(self.sock)

        pool.ConnectionCls = Watched
        return pool

    def send(self, *args: Any, **kwargs: Any) -> requests.Response:
        """Ask, and read so much of the answer's body as anybody needs."""
        response = super().send(*args, **kwargs)
        response.encoding = "utf-8"  # or requests guesses it, which takes seconds for junk
        body, response.raw = response.raw, BytesIO()
        self.answer = response
        try:
            response.raw = BytesIO(body.read(MAX_ANSWER, decode_content=True))
        finally:
            body.close()
        return response


def use(line: Line, session: requests.Session) -> None:
    """Have a session send through this line, and nowhere else.

    The environment's proxies and certificates count, as everywhere.  Its .netrc does not: requests
    would put a password from there (its `default` one too) in the place of the provider's key.
    Redirects are not followed: requests turns a POST into a GET that would count as sent, and
    takes the key in a header of our own (Brevo's) along to another host.
    """
    session.mount("https://", line)
    session.mount("http://", line)
    session.auth = _as_it_is
    session.max_redirects = 0


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request

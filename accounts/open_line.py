"""The connection of the moment, known to whoever may have waited long enough and ends it."""

import socket
import threading
from contextlib import suppress
from typing import Any


class OpenLine:
    """Knows the open connection of one asking; nothing is connected any more once given up."""

    def __init__(self) -> None:
        """Contact nobody."""
        self._given_up = False
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    @property
    def connected(self) -> bool:
        """Whether a connection stands or stood; once given up this does not change any more."""
        return self._socket is not None

    def give_up(self) -> None:
        """Let nothing leave that has not left yet, and end what somebody may be waiting for, in
        whatever thread."""
        with self._lock:
            self._given_up = True
            open_socket = self._socket
        if open_socket is not None:
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)

    def watch(self, pool: Any) -> None:
        """Let the connections of an urllib3 pool tell when they stand."""
        begin, kind = self._begin, pool.ConnectionCls

        class Watched(kind):  # type: ignore[misc,valid-type]  # the class is known at run time
            def connect(self) -> Any:
                super().connect()
                begin(self.sock)

        pool.ConnectionCls = Watched

    def _begin(self, open_socket: socket.socket) -> None:
        with self._lock:
            if self._given_up:
                raise ConnectionAbortedError("given up before it was connected")
            self._socket = open_socket

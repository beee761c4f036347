"""The connection of the moment, so that whoever has waited long enough can end it."""

import socket
import threading
from contextlib import suppress
from typing import Any

import urllib3

from accounts.deadline import Deadline


class Line:
    """Knows the open connection of one asking; nothing is connected any more once given up."""

    def __init__(self, deadline: Deadline) -> None:
        """Contact nobody."""
        self.deadline = deadline
        self._given_up = False
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def give_up(self) -> None:
        """End what somebody may still be waiting for, in whatever thread."""
        with self._lock:
            self._given_up = True
            open_socket = self._socket
        if open_socket is not None:
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)

    def watch(self, pool: urllib3.HTTPConnectionPool) -> None:
        """Let the pool's connections tell when they stand."""
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

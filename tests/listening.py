"""What the misbehaving servers share: a socket on loopback, a thread for each who connects."""

import socket
import threading
from contextlib import suppress
from typing import Any, Self

HOST = "127.0.0.1"


class Listening:
    """A server as a context manager; when it ends it hangs up on everybody.

    Subclasses say in `begin` what happens on a connection, and `start` it in a thread of its own.
    """

    def __init__(self, port: int = 0) -> None:
        self.listener = socket.create_server((HOST, port))
        self.host, self.port = self.listener.getsockname()
        self.open: list[socket.socket] = []
        self.threads: list[threading.Thread] = []
        self.stopped = threading.Event()

    def begin(self, peer: socket.socket) -> None:
        """Take up a connection, in the order they came."""
        raise NotImplementedError

    def start(self, target: Any, *args: Any) -> None:
        """Do something in a thread that ends with the server."""
        self.threads.append(threading.Thread(target=target, args=args, daemon=True))
        self.threads[-1].start()

    def __enter__(self) -> Self:
        self.start(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for peer in self.open:
            with suppress(OSError):
                peer.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(5)

    def _listen(self) -> None:
        while not self.stopped.is_set():
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(peer)
            self.begin(peer)

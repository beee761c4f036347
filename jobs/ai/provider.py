"""One POST to a provider: bounded in time and size, no redirects, no retries, no proxy."""

import ssl
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import certifi
import urllib3

from accounts.boundaries import effect
from accounts.deadline import within
from accounts.open_line import OpenLine
from jobs.ai.wire import Request

_CONNECT_SECONDS: Final = 10.0
_MOST_BYTES: Final = 1024 * 1024
_CHUNK: Final = 65_536


class NoAnswerError(Exception):
    """There is no whole answer; the message says why, and holds no part of address or key.

    `apart`: no connection stood, so nothing can be charged for.  `slow`: the time was up.
    """

    def __init__(self, words: str, *, apart: bool, slow: bool) -> None:
        """Say why."""
        super().__init__(words)
        self.apart, self.slow = apart, slow


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; `retry_after` is that header."""

    status: int
    body: bytes = field(repr=False)
    retry_after: str = ""


def ask(request: Request, headers: dict[str, str], *, seconds: float) -> Reply:
    """Make the request once, within so many seconds.  Raises NoAnswerError."""
    line = OpenLine()
    try:
        with effect("ai: ask"):
            return within(seconds, lambda: _post(line, request, headers, seconds))
    except (OSError, urllib3.exceptions.HTTPError, ValueError) as error:
        line.give_up()
        slow = isinstance(error, urllib3.exceptions.TimeoutError | TimeoutError)
        raise NoAnswerError(_why(error, seconds), apart=not line.connected, slow=slow) from None
    finally:
        line.give_up()


def _post(line: OpenLine, request: Request, headers: dict[str, str], seconds: float) -> Reply:
    pool, path = _pool(line, request.url)
    try:
        response = pool.urlopen(
            "POST",
            path,
            body=request.body,
            headers=headers,
            redirect=False,
            retries=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=min(seconds, _CONNECT_SECONDS), read=seconds),
        )
        try:
            return Reply(response.status, _body(response), response.headers.get("Retry-After", ""))
        finally:
            response.close()
    finally:
        pool.close()


def _pool(line: OpenLine, url: str) -> tuple[urllib3.HTTPConnectionPool, str]:
    parts = urlsplit(url)
    host = parts.hostname or ""
    pool: urllib3.HTTPConnectionPool
    if parts.scheme == "http":
        pool = urllib3.HTTPConnectionPool(host, parts.port or 80)
    else:
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        pool = urllib3.HTTPSConnectionPool(host, parts.port or 443, ssl_context=context)
    line.watch(pool)
    return pool, parts.path


def _body(response: Any) -> bytes:
    body = bytearray()
    for chunk in response.stream(_CHUNK):
        body += chunk
        if len(body) > _MOST_BYTES:
            raise ValueError("too large")
    return bytes(body)


def _why(error: Exception, seconds: float) -> str:
    """A sentence from what an error is: its words may hold the address."""
    if isinstance(error, urllib3.exceptions.NewConnectionError):  # is a TimeoutError, too
        return "nobody answers at its address"
    if isinstance(error, urllib3.exceptions.TimeoutError | TimeoutError):
        return f"no whole answer within {seconds:.0f} seconds"
    if isinstance(error, urllib3.exceptions.SSLError | ssl.SSLError):
        return "the connection is not safe"
    if isinstance(error, ValueError):
        return "the answer is too large"
    return f"the connection failed: {type(error).__name__}"

"""The line to a provider over HTTP: one request, bounded in time and size, its phase known."""

from io import BytesIO
from typing import Any, Final

import requests
from requests.adapters import HTTPAdapter

from accounts.open_line import OpenLine

MAX_ANSWER: Final = 16_384  # bytes, unpacked; a provider says what it has to say in some hundred


class Line(OpenLine, HTTPAdapter):
    """Carries one request, and knows how far it came.

    `connected`: a connection stands (TLS and a proxy's tunnel included), so that the request may
    have left; while it is False not a byte of it has.  `answer`: its status and headers are known
    as soon as they were read, its body is cut at MAX_ANSWER and empty until it was read.
    """

    def __init__(self) -> None:
        """Contact nobody."""
        OpenLine.__init__(self)
        HTTPAdapter.__init__(self)
        self.answer: requests.Response | None = None

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        """A pool of connections that tell this line when they stand."""
        pool = super().get_connection_with_tls_context(*args, **kwargs)
        self.watch(pool)
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

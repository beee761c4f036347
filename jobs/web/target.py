"""Addresses of the web as they are configured or redirected to, taken apart and judged."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

_PORTS: Final = {"https": 443, "http": 80}


class TargetError(ValueError):
    """An address that is not asked; the message says why and holds no part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where one request goes.  `host` is without brackets, `path` with the query, both encoded;
    `auth` is `user:password` out of the address."""

    scheme: str
    host: str
    port: int
    path: str
    auth: str | None

    @property
    def origin(self) -> tuple[str, str, int]:
        """Whom credentials are for."""
        return self.scheme, self.host, self.port

    @property
    def host_header(self) -> str:
        """What the server is told that it is called."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address without credentials."""
        return f"{self.scheme}://{self.host_header}{self.path}"


def redirected(target: Target, location: str, *, allow_http: bool) -> Target:
    """Where a redirect leads from here.  Raises TargetError as `target_of` does."""
    try:
        url = urljoin(target.url, location)
    except ValueError:
        raise TargetError("not a web address") from None
    return target_of(url, allow_http=allow_http)


def target_of(url: str, *, allow_http: bool) -> Target:
    """Take an address apart.  Raises TargetError when it is none, or no https one where it must."""
    try:
        parts: Url = parse_url(url)
    except LocationParseError:
        raise TargetError("not a web address") from None
    scheme, host = (parts.scheme or "").lower(), (parts.host or "").strip("[]").rstrip(".")
    if scheme not in _PORTS or not host:
        raise TargetError("not a web address")
    if scheme == "http" and not allow_http:
        raise TargetError("http, where https is asked for")
    port = _PORTS[scheme] if parts.port is None else parts.port
    return Target(scheme=scheme, host=host, port=port, path=parts.request_uri, auth=parts.auth)

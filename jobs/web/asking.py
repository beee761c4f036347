"""One GET, bounded in time, size and redirects, to addresses that were checked first.

Each name is looked up once and the connection goes to an address that was judged then, with the
name in SNI, certificate and Host: a name that changes between the look and the connection gains
nothing.  No proxy, .netrc or cookie of the environment counts.
"""

import socket
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import certifi
import urllib3
from urllib3.util import make_headers

from accounts.boundaries import effect
from accounts.deadline import Deadline, within
from accounts.open_line import OpenLine
from jobs.web.addresses import is_public
from jobs.web.answers import Answer
from jobs.web.target import Target, TargetError, redirected, target_of

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_CONNECT_SECONDS: Final = 10.0
_CHUNK: Final = 65_536


class AskError(Exception):
    """There is no answer; the message says why, and holds no part of the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What may be asked, and how much it may cost: `seconds` in all, `most` bytes unpacked."""

    allow_http: bool = False
    allow_private: bool = False
    redirects: int = 5
    seconds: float = 30.0
    most: int = 10 * 1024 * 1024


def ask(url: str, *, headers: Mapping[str, str], rules: Rules) -> Answer:
    """GET an address, following redirects.  Raises AskError when there is no whole answer.

    Credentials in the address go to its own origin alone.
    """
    line = OpenLine()
    deadline = Deadline(rules.seconds)
    try:
        with effect("web: ask"):
            return within(rules.seconds, lambda: _follow(line, deadline, url, dict(headers), rules))
    except TargetError as error:
        raise AskError(f"It leads to what is {error}.") from None
    except (OSError, urllib3.exceptions.HTTPError) as error:
        raise AskError(_why(error, rules)) from None
    finally:
        line.give_up()


def _follow(
    line: OpenLine, deadline: Deadline, url: str, headers: dict[str, str], rules: Rules
) -> Answer:
    target = target_of(url, allow_http=rules.allow_http)
    origin, auth = target.origin, target.auth
    for _ in range(rules.redirects + 1):
        own = make_headers(basic_auth=unquote(auth)) if auth and target.origin == origin else {}
        answer = _hop(line, deadline, target, headers | own, rules)
        leads_to = answer.headers.get("location")
        if answer.status not in _REDIRECTS or not leads_to:
            return answer
        target = redirected(target, leads_to, allow_http=rules.allow_http)
    raise AskError(f"It redirects more than {rules.redirects} times.")


def _hop(
    line: OpenLine, deadline: Deadline, target: Target, headers: dict[str, str], rules: Rules
) -> Answer:
    addresses = _look_up(target, rules)
    for number, address in enumerate(addresses, 1):
        pool = _pool(line, target, address)
        try:
            return _get(deadline.remaining(), pool, target, headers, rules)
        except (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError):
            if number == len(addresses):
                raise
        finally:
            pool.close()
    raise AskError("Its name has no address.")


def _look_up(target: Target, rules: Rules) -> list[str]:
    """The addresses of a name; all of them must be fit to be connected to."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except UnicodeError:  # a part of it is empty or too long
        raise AskError("Its name is none.") from None
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
    if not rules.allow_private and not all(map(is_public, addresses)):
        raise AskError("It leads to a private address, which production does not ask.")
    return addresses[:4]


def _pool(line: OpenLine, target: Target, address: str) -> urllib3.HTTPConnectionPool:
    pool: urllib3.HTTPConnectionPool
    if target.scheme == "http":
        pool = urllib3.HTTPConnectionPool(address, target.port)
    else:
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())
        pool = urllib3.HTTPSConnectionPool(
            address, target.port, server_hostname=target.host, ssl_context=context
        )
    line.watch(pool)
    return pool


def _get(
    left: float,
    pool: urllib3.HTTPConnectionPool,
    target: Target,
    headers: dict[str, str],
    rules: Rules,
) -> Answer:
    response = pool.urlopen(
        "GET",
        target.path,
        headers={"Host": target.host_header, "Accept-Encoding": "gzip", **headers},
        redirect=False,
        retries=False,
        preload_content=False,
        decode_content=False,
        timeout=urllib3.Timeout(connect=min(left, _CONNECT_SECONDS), read=left),
    )
    try:
        return Answer(
            status=response.status,
            url=target.url,
            headers={name.lower(): value for name, value in response.headers.items()},
            body=b"" if response.status in _REDIRECTS else _body(response, rules.most),
        )
    finally:
        response.close()


def _body(response: Any, most: int) -> bytes:
    """The body unpacked; what would be larger is not unpacked to the end."""
    packing = response.headers.get("Content-Encoding", "identity").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise AskError("Its answer is packed in a way that was not asked for.")
    packed = packing not in ("", "identity")
    unpacker, body = zlib.decompressobj(wbits=47), bytearray()
    for chunk in response.stream(_CHUNK, decode_content=False):
        try:
            body += unpacker.decompress(chunk, most + 1 - len(body)) if packed else chunk
        except zlib.error:
            raise AskError("Its answer is packed, and cannot be unpacked.") from None
        if len(body) > most:
            raise AskError(f"Its answer is larger than {most // 1024**2} MiB.")
        if unpacker.eof:
            break
    if packed and body and not unpacker.eof:
        raise AskError("Its answer is cut short.")
    return bytes(body)


def _why(error: Exception, rules: Rules) -> str:
    """A sentence from what an error is: its words may hold the address."""
    if isinstance(error, urllib3.exceptions.NewConnectionError):  # is a TimeoutError, too
        return "Nobody answers where it leads to."
    if isinstance(error, urllib3.exceptions.TimeoutError | TimeoutError):
        return f"There is no whole answer within {rules.seconds:g} seconds."
    if isinstance(error, socket.gaierror):
        return "Its name is not known."
    if isinstance(error, urllib3.exceptions.SSLError | ssl.SSLError):
        cause = next((e for e in (*error.args, error) if isinstance(e, ssl.SSLError)), None)
        said = getattr(cause, "verify_message", "") or getattr(cause, "reason", "") or "no TLS"
        return f"The connection is not safe: {said}."
    if isinstance(error, urllib3.exceptions.ProtocolError) and "IncompleteRead" in str(error):
        return "Its answer is cut short."
    return f"The connection failed: {type(error).__name__}."

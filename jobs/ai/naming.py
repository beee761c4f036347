"""Which model SCOUT_SCORER names, and where it is asked."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Literal
from urllib.parse import urlsplit

from jobs.web.addresses import is_public

Kind = Literal["openai", "anthropic"]

# https://platform.openai.com/docs/api-reference and https://docs.anthropic.com/en/api/messages
_HOMES: Final[dict[str, str]] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
}
_KEYS: Final[dict[str, str]] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
_SHAPE: Final = re.compile(r"(openai|anthropic):([^\s@][^\s]*?)(?:@(https?://\S+))?")
_LONGEST: Final = 80


class NamingError(ValueError):
    """SCOUT_SCORER names no scorer; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model, the shape of its provider's requests and the address these go under.

    `address` is without a slash at its end.  `at_home` says that it is the provider's own.
    """

    kind: Kind
    name: str
    address: str
    at_home: bool

    @property
    def scorer(self) -> str:
        """What verdicts say of who gave them, at most 100 characters."""
        return f"{self.kind}:{self.name}"

    @property
    def key_name(self) -> str:
        """The variable of the environment that holds the key."""
        return _KEYS[self.kind]


def model_of(said: str) -> Model | None:
    """The model named by `openai:NAME`, `anthropic:NAME` or either with `@ADDRESS`; None for
    `local` and for nothing.  Raises NamingError for what is neither.

    An address over http must be of this machine or a private network: a key goes there.
    """
    said = said.strip()
    if said in ("", "local"):
        return None
    found = _SHAPE.fullmatch(said)
    if found is None:
        raise NamingError("It is neither local nor openai:NAME or anthropic:NAME.")
    kind: Kind = "openai" if found[1] == "openai" else "anthropic"
    if len(found[2]) > _LONGEST:
        raise NamingError(f"The model's name is longer than {_LONGEST} characters.")
    address = _address(found[3]) if found[3] else _HOMES[kind]
    return Model(kind, found[2], address, at_home=not found[3])


def _address(said: str) -> str:
    try:
        parts = urlsplit(said)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise NamingError("Its address is not a web address.") from None
    if not host:
        raise NamingError("Its address is not a web address.")
    if parts.username is not None or parts.query or parts.fragment:
        raise NamingError("Its address holds a login, a query or a fragment.")
    if parts.scheme == "http" and not _is_near(host):
        raise NamingError("Its address is http outside of private networks: use https.")
    return said.rstrip("/")


def _is_near(host: str) -> bool:
    """Whether a host is this machine, a private address or a name without a dot."""
    try:
        ip_address(host)
    except ValueError:
        return "." not in host
    return not is_public(host)

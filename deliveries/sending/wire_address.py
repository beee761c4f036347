"""An e-mail address as SMTP commands carry it (RFC 5321 section 4.1.2, RFC 6531)."""

import re
from typing import Final

from django.utils.encoding import punycode

_LOCAL: Final = r'(?:[^\s"(),:;<>@\[\]\\\x00-\x1f\x7f]+|"(?:[^"\\\x00-\x1f\x7f]|\\[ -~])+")'
_ADDRESS: Final = re.compile(_LOCAL + r'@[^\s"(),;<>@\\\x00-\x1f\x7f]+')


class UnfitMailError(ValueError):
    """This mail cannot be put on the wire, to whichever server it is given."""


def wire_address(address: str) -> str:
    """The address as SMTP carries it: the domain in ASCII.  Raises UnfitMailError."""
    if not _ADDRESS.fullmatch(address):
        raise UnfitMailError("not an address")
    local, _, domain = address.rpartition("@")
    try:
        local.encode("utf-8")  # refuses lone surrogates
        return f"{local}@{punycode(domain)}"
    except UnicodeError:
        raise UnfitMailError("not an address") from None

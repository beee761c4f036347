"""A mail as the database keeps it, and the same mail as Django's backends want it."""

import re
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage as ParsedMessage
from email.parser import BytesParser
from email.policy import Policy
from typing import Any, Final, cast

from django.core.mail import EmailMultiAlternatives

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_NOT_EXTRA: Final = frozenset({"from", "to", "subject", "mime-version"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMail:
    """One message to one person, ready to leave.

    `envelope` is the mail's id, `sender` and `recipient` are bare addresses for the SMTP
    envelope, `raw` is the whole message (RFC 5322), its lines ended by LF or CRLF.
    """

    envelope: str
    sender: str
    recipient: str
    raw: bytes

    def with_line_ends(self, line_end: bytes) -> bytes:
        """`raw` with every line ended by `line_end`, equal each time."""
        return _LINE_END.sub(line_end, self.raw)


class ExactMessage(ParsedMessage):
    """A parsed message that is written back as the very bytes it was read from."""

    stored: StoredMail | None = None

    def as_bytes(
        self, unixfrom: bool = False, policy: Policy | None = None, *, linesep: str | None = None
    ) -> bytes:
        """The stored bytes; with `linesep`, their lines end so (Django's backends ask that)."""
        if self.stored is None:
            return super().as_bytes(unixfrom, policy)
        if linesep is None:
            return self.stored.raw
        return self.stored.with_line_ends(linesep.encode("ascii"))

    def as_string(
        self,
        unixfrom: bool = False,
        maxheaderlen: int | None = None,
        policy: Policy | None = None,
        *,
        linesep: str | None = None,
    ) -> str:
        """The stored bytes as text; bytes that are no UTF-8 become replacement characters."""
        return self.as_bytes(unixfrom, policy, linesep=linesep).decode("utf-8", "replace")


class StoredEmail(EmailMultiAlternatives):
    """A stored mail for any Django backend: the parts are parsed, `message()` is exact.

    Equal for equal stored bytes, so that a provider given the same mail twice sees one request
    twice.  `metadata` comes back in a provider's events.  Raises ValueError, LookupError or
    email.errors.MessageError when the stored bytes cannot be parsed.
    """

    def __init__(self, stored: StoredMail) -> None:
        """Parse the stored bytes."""
        parsed = _parse(stored)
        text, html = parsed.get_body(("plain",)), parsed.get_body(("html",))
        super().__init__(
            subject=str(parsed["Subject"] or ""),
            body=_content(text),
            from_email=str(parsed["From"] or stored.sender),
            to=[stored.recipient],
            headers=_extra_headers(parsed),
            alternatives=[(_content(html), "text/html")] if html else [],
        )
        self.stored = stored
        self.metadata = {"envelope": stored.envelope}

    def message(self, **_: Any) -> ExactMessage:
        """The stored message, written back byte for byte."""
        return _parse(self.stored)


def _parse(stored: StoredMail) -> ExactMessage:
    parser = BytesParser(ExactMessage, policy=policy.default)
    message = cast("ExactMessage", parser.parsebytes(stored.raw))
    message.stored = stored
    return message


def _content(part: Any) -> str:
    return "" if part is None else str(part.get_content()).replace("\r\n", "\n")


def _extra_headers(parsed: ParsedMessage) -> dict[str, str]:
    return {
        name: str(value)
        for name, value in parsed.items()
        if name.lower() not in _NOT_EXTRA and not name.lower().startswith("content-")
    }

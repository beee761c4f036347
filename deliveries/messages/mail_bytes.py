"""A whole mail as bytes: the header lines and the text and HTML parts, the same every time.

Every header line is built here from checked values, because Django's and smtplib's guards let
`\\x0b \\x0c \\x1c-\\x1e \\x85 U+2028 U+2029` through and providers' HTTP interfaces have none.
"""

import re
import unicodedata
from base64 import encodebytes
from binascii import b2a_qp
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, getaddresses
from urllib.parse import urlsplit

# Local part: the dot-atom of RFC 5322, 3.2.3, in the lengths of RFC 5321, 4.5.3.1; quoted local
# parts ("a b"@example.com) are refused.
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL_PART = re.compile(rf"(?=.{{1,64}}\Z){_ATOM}(?:\.{_ATOM})*", re.DOTALL)
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*", re.DOTALL)
_ENVELOPE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LINK = re.compile(r"https?://[!#-;=?-~]{1,900}")
_ONE_LINE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*")
_PRINTABLE = re.compile(r"[\x20-\x7e]*")
_CRLF = "\r\n"


class AddressError(ValueError):
    """The recipient's address cannot stand in a mail; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailParts:
    """What one mail is made of; `sent_date` is aware, `subject` one line, links are whole."""

    sender: str
    recipient: str
    site_url: str
    unsubscribe_url: str
    envelope: str
    sent_date: datetime
    subject: str
    text: str
    html: str


def mail_bytes(parts: MailParts) -> bytes:
    """The RFC 5322 message with CRLF line ends, 7-bit throughout: equal parts, equal bytes.

    The one-click headers follow RFC 8058, Auto-Submitted RFC 3834, section 5.  There is no
    Precedence header: it is not standard (RFC 2076) and "bulk" may delay an alert.
    Raises AddressError for the recipient and ValueError for any other part that cannot stand
    in a header.
    """
    if not _ENVELOPE.fullmatch(parts.envelope):
        raise ValueError(f"not an envelope id: {parts.envelope!r}")
    for link in (parts.site_url, parts.unsubscribe_url):
        if not _LINK.fullmatch(link):
            raise ValueError(f"not a link for a header: {link!r}")
    if not _ONE_LINE.fullmatch(parts.subject):
        raise ValueError(f"not one line: {parts.subject!r}")
    if parts.sent_date.tzinfo is None:
        raise ValueError("sent_date has no time zone")
    host = ascii_domain(urlsplit(parts.site_url).hostname or "")
    lines = (
        ("From", _sender(parts.sender)),
        ("To", ascii_address(parts.recipient)),
        ("Subject", _subject(parts.subject)),
        ("Date", format_datetime(parts.sent_date)),
        ("Message-ID", f"<{parts.envelope}@{host}>"),
        ("List-Unsubscribe", f"<{parts.unsubscribe_url}>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Auto-Submitted", "auto-generated"),
        ("X-Scout-Envelope", parts.envelope),
    )
    return b"".join(_header(name, value) for name, value in lines) + _body(parts)


def ascii_address(address: str) -> str:
    """A bare address fit for a header, its domain in IDNA form; AddressError otherwise.

    A local part outside ASCII needs SMTPUTF8 (RFC 6531) on every hop, which cannot be counted on.
    """
    local, at, domain = address.rpartition("@")
    if not at:
        raise AddressError(f"not an address: {address!r}")
    if not local.isascii():
        raise AddressError(f"the part before the @ is not ASCII: {address!r}")
    if not _LOCAL_PART.fullmatch(local):
        raise AddressError(f"the part before the @ is not valid: {address!r}")
    try:
        return f"{local}@{ascii_domain(domain)}"
    except ValueError as error:
        raise AddressError(f"the part after the @ is not a domain: {address!r}") from error


def ascii_domain(domain: str) -> str:
    """A domain in IDNA form; ValueError when it has none.

    Names that the encoding would turn into another name (ß into ss) are refused: the mail would
    go to somebody else.
    """
    encoded = domain
    if not domain.isascii():
        encoded = domain.encode("idna").decode("ascii")
        if encoded.encode("ascii").decode("idna") != unicodedata.normalize("NFC", domain).lower():
            raise ValueError(f"ambiguous domain: {domain!r}")
    if not _DOMAIN.fullmatch(encoded):
        raise ValueError(f"not a domain: {domain!r}")
    return encoded


def _sender(sender: str) -> str:
    """`Name <address>` for a header; the name is quoted, or encoded when it is not ASCII."""
    mailboxes = getaddresses([sender])
    if len(mailboxes) != 1 or not _ONE_LINE.fullmatch(sender):
        raise ValueError(f"not one sender: {sender!r}")
    [(name, mailbox)] = mailboxes
    try:
        address = ascii_address(mailbox)
    except AddressError as error:  # the operator's mistake, not the recipient's
        raise ValueError(f"not a sender: {sender!r}") from error
    if not name:
        return address
    if name.isascii() and "=?" not in name:
        return formataddr((name, address))
    return f"{Header(name, 'utf-8', header_name='From').encode(linesep=_CRLF)} <{address}>"


def _subject(subject: str) -> str:
    """Folded at spaces; encoded (RFC 2047) when it is not ASCII, looks encoded or cannot fold."""
    foldable = max(map(len, subject.split(" "))) <= 60
    plain = subject.isascii() and foldable and "=?" not in subject
    header = Header(subject, "us-ascii" if plain else "utf-8", header_name="Subject")
    return header.encode(linesep=_CRLF)


def _header(name: str, value: str) -> bytes:
    """One header line; lines after the first start with a space and hold more than spaces."""
    lines = value.split(_CRLF)
    folded = all(line.startswith(" ") and line.strip() for line in lines[1:])
    if not folded or not all(_PRINTABLE.fullmatch(line) for line in lines):
        raise ValueError(f"{name} cannot hold {value!r}")
    if max(map(len, lines)) + len(name) + 2 > 998:  # RFC 5322, section 2.1.1
        raise ValueError(f"{name} is too long")
    return f"{name}: {value}\r\n".encode("ascii")


def _body(parts: MailParts) -> bytes:
    """MIME-Version, the content headers and both parts, the preferred one last (RFC 2046)."""
    message = EmailMessage(policy=SMTP)
    message["MIME-Version"] = "1.0"
    message.set_content(parts.text, cte=_shorter_encoding(parts.text))
    message.add_alternative(parts.html, subtype="html", cte=_shorter_encoding(parts.html))
    for part in message.iter_parts():
        del part["MIME-Version"]  # only the message has one
    # Neither encoding can produce "=_" (RFC 2045, section 6.7): no text can forge the boundary.
    message.set_boundary(f"=_{parts.envelope}")
    return message.as_bytes()


def _shorter_encoding(text: str) -> str:
    """Quoted-printable for Western text, base64 where most letters are not ASCII."""
    data = text.encode()
    shorter = len(encodebytes(data)) < len(b2a_qp(data))
    return "base64" if shorter else "quoted-printable"

"""What an attempt to send came to, decided from plain facts."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_ERROR_CHARACTERS: Final = 500


class Outcome(StrEnum):
    """What is known about one message after one attempt to send it."""

    ACCEPTED = "accepted"  # the server or provider took it
    NOTHING_LEFT = "nothing_left"  # no error, and certainly not sent
    REFUSED_PERSON = "refused_person"  # for good: this message or this recipient
    REFUSED_EVERYONE = "refused_everyone"  # for good: whoever it is for, until someone acts
    REFUSED_NOW = "refused_now"  # certainly not sent; may be tried again
    UNKNOWN = "unknown"  # it may have left


class Phase(StrEnum):
    """How far an attempt had come when its evidence arose."""

    BEFORE = "before"  # preparing the message; nobody contacted
    OPENING = "opening"  # SMTP: looking the server up, connecting, its banner, TLS
    HELLO = "hello"  # SMTP: EHLO or HELO
    AUTH = "auth"  # SMTP: signing in
    MAIL = "mail"  # SMTP: MAIL FROM
    RCPT = "rcpt"  # SMTP: RCPT TO
    DATA = "data"  # SMTP: DATA, up to its 354
    CONTENT = "content"  # SMTP: from the first byte of the message to the reply to the final dot
    HTTP = "http"  # one request to a provider
    LOCAL = "local"  # a backend that contacts nobody: console, memory, files


class Kind(StrEnum):
    """What happened, where no reply code says it."""

    REPLY = "reply"  # a code says it
    TAKEN = "taken"  # the backend counted the message as sent
    CANCELLED = "cancelled"  # the backend sent nothing, without an error
    UNFIT = "unfit"  # this message cannot be put on the wire: address, header, encoding
    CONFIGURATION = "configuration"  # our settings are wrong, for every message
    NO_CONNECTION = "no_connection"  # HTTP: no connection ever stood, TLS included
    BROKEN = "broken"  # disconnected, reset, timed out, or an unreadable reply
    DUPLICATE = "duplicate"  # the provider took this very mail before, and says so
    RECIPIENT_REFUSED = "recipient_refused"  # the provider answered: this recipient, never
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The facts about one attempt that its outcome is decided from.

    `smtp_code` is the three-digit reply (RFC 5321 section 4.2; -1 for one that is none),
    `http_status` the status of the answer, `retry_after` the seconds a provider asked us to wait.
    `timed_out` and `text` are for people: they never decide.
    """

    phase: Phase
    kind: Kind = Kind.REPLY
    smtp_code: int | None = None
    http_status: int | None = None
    timed_out: bool = False
    retry_after: float | None = None
    text: str = ""


OPENING_PHASES: Final = frozenset({Phase.OPENING, Phase.HELLO, Phase.AUTH})
_HTTP_OUTCOMES: Final = {
    **dict.fromkeys((400, 404, 413, 422), Outcome.REFUSED_PERSON),
    # 307 and 308 ask for the same POST elsewhere: it was not done here, and our address is wrong.
    # After 301, 302 and 303 the POST may have been done (RFC 9110 section 15.4).
    **dict.fromkeys((307, 308, 401, 403), Outcome.REFUSED_EVERYONE),
    429: Outcome.REFUSED_NOW,
}
_KIND_OUTCOMES: Final = {
    **{(phase, Kind.TAKEN): Outcome.ACCEPTED for phase in (Phase.HTTP, Phase.LOCAL)},
    **{(phase, Kind.CANCELLED): Outcome.NOTHING_LEFT for phase in (Phase.HTTP, Phase.LOCAL)},
    **{
        (phase, Kind.CONFIGURATION): Outcome.REFUSED_EVERYONE
        for phase in (Phase.BEFORE, *OPENING_PHASES, Phase.HTTP)
    },
    (Phase.BEFORE, Kind.UNFIT): Outcome.REFUSED_PERSON,
    (Phase.HTTP, Kind.NO_CONNECTION): Outcome.REFUSED_NOW,
    (Phase.HTTP, Kind.DUPLICATE): Outcome.ACCEPTED,
    (Phase.HTTP, Kind.RECIPIENT_REFUSED): Outcome.REFUSED_PERSON,
}


def classify(evidence: Evidence) -> Outcome:
    """Decide what an attempt came to.  Never raises; what no rule names is UNKNOWN."""
    named = _KIND_OUTCOMES.get((evidence.phase, evidence.kind))
    if named is not None:
        return named
    if evidence.phase in OPENING_PHASES:
        return _while_opening(evidence)
    if evidence.phase == Phase.HTTP:
        return _over_http(evidence.http_status)
    return _during_the_message(evidence.phase, evidence.smtp_code)


def _while_opening(evidence: Evidence) -> Outcome:
    if evidence.phase == Phase.AUTH and _class_of(evidence.smtp_code) == 5:
        return Outcome.REFUSED_EVERYONE
    return Outcome.REFUSED_NOW


def _over_http(status: int | None) -> Outcome:
    if _class_of(status) == 2:
        return Outcome.ACCEPTED
    return Outcome.UNKNOWN if status is None else _HTTP_OUTCOMES.get(status, Outcome.UNKNOWN)


def _during_the_message(phase: Phase, code: int | None) -> Outcome:
    match phase, _class_of(code):
        case Phase.CONTENT, 2:
            return Outcome.ACCEPTED
        case Phase.CONTENT, 4:
            return Outcome.REFUSED_NOW
        case Phase.MAIL, 5:
            return Outcome.REFUSED_EVERYONE
        case ((Phase.RCPT | Phase.DATA | Phase.CONTENT), 5):
            return Outcome.REFUSED_PERSON
        case ((Phase.MAIL | Phase.RCPT | Phase.DATA), _):
            # Before the server asked for the message (354) not one byte of it has left.
            return Outcome.REFUSED_NOW
        case _:
            return Outcome.UNKNOWN


def _class_of(code: int | None) -> int:
    """The first digit of a three-digit code, which alone decides (RFC 5321 section 4.2.1)."""
    return code // 100 if code is not None and 100 <= code <= 599 else 0


def one_line(text: str, *, hide: str = "") -> str:
    """One line for people and the database: no addresses, no control characters, at most 500
    characters.  `hide` (a recipient) is removed wherever it stands, in any case."""
    if hide:
        text = re.sub(re.escape(hide), "<address>", text, flags=re.IGNORECASE)
    text = "".join(letter if letter.isprintable() else " " for letter in text)
    line = " ".join("<address>" if _is_address(word) else word for word in text.split())
    return line[:MAX_ERROR_CHARACTERS].rstrip()


def _is_address(word: str) -> bool:
    """Whether a word has an "@", written as it is or for a URL, with something on both sides."""
    return "@" in word[1:-1] or "%40" in word[1:-1]

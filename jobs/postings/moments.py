"""Points in time as sources write them, to aware datetimes in UTC.

A time without a zone is taken as UTC: where a source means another, it does not say which.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from jobs.postings.calendars import dated

EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)
_LONGEST: Final = 80

_NUMBER: Final = re.compile(r"\d{9,19}(?:\.\d{1,9})?", re.ASCII)
_COMPACT: Final = re.compile(r"20\d{6}", re.ASCII)
_MICROSOFT: Final = re.compile(r"/?Date\((\d{9,19})(?:[+-]\d{4})?\)/?", re.ASCII)
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d.*)?|\d{8}T\d{4}.*", re.ASCII)
_ISO_ZONE: Final = re.compile(r"\s*(?:\[[\w/]+\]|(?<=[\dZ ])\(?(?:UTC|GMT)\)?)$", re.ASCII)
_BLANK_ZONE: Final = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)", re.ASCII)
_RFC_822: Final = re.compile(r"(?:[A-Za-z]{3},\s*)?\d{1,2} [A-Za-z]{3} \d{4} \d\d:\d\d.*", re.ASCII)
LABEL: Final = re.compile(
    r"^(?:date |job |time )?(?:posted|published|created|added|listed|publicado|publicada|"
    r"veröffentlicht|eingestellt|publiée?|opublikowano|dodano|date|posted date)\b"
    r"(?: (?:on|at|em|el|am|le)\b)?[:\s]*",
    re.IGNORECASE,
)


def absolute(value: object) -> datetime | None:
    """The moment a value names by itself, in UTC; None when it names none, or none in 2000-2099.

    ISO 8601, seconds, milliseconds, micro- or nanoseconds since 1970 as number or text, RFC 822,
    and dates in words or figures, see `calendars.dated`.  Without a zone it is UTC.  A date
    that could be two, such as 10/11/2026, is none.  Never raises.
    """
    if isinstance(value, str):
        return _of_text(value) if len(value) <= _LONGEST else None
    if isinstance(value, datetime):
        return _bounded(lambda: value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return _of_epoch(value) or _of_compact(value)


def bounded(moment: datetime) -> datetime | None:
    """A moment as UTC, None when it lies outside 2000-2099."""
    return _bounded(lambda: moment)


def _of_text(value: str) -> datetime | None:
    text = " ".join(LABEL.sub("", value.strip()).split()).strip(" .,;")
    if _NUMBER.fullmatch(text):
        return _of_epoch(float(text))
    if found := _MICROSOFT.fullmatch(text):
        return _of_epoch(float(found[1]))
    if _COMPACT.fullmatch(text):
        return _bounded(lambda: datetime.strptime(text, "%Y%m%d"))
    if _ISO.fullmatch(text):
        plain = _BLANK_ZONE.sub("", _ISO_ZONE.sub("", text))
        if moment := _bounded(lambda: datetime.fromisoformat(plain.upper())):
            return moment
    if _RFC_822.fullmatch(text):
        return _bounded(lambda: parsedate_to_datetime(text))
    return _bounded(lambda: dated(text)) if any(map(str.isdigit, text)) else None


def _of_epoch(number: float) -> datetime | None:
    """Seconds, ms, µs or ns since 1970, told apart by their size."""
    if not 10**8 <= number < 10**19:
        return None
    scale = next(s for s in (1, 10**3, 10**6, 10**9) if number < 10**11 * s or s == 10**9)
    return _bounded(lambda: datetime.fromtimestamp(number / scale, UTC))


def _of_compact(number: float) -> datetime | None:
    """A date written as one number, 20261110."""
    if not 2 * 10**7 <= number < 2.1 * 10**7 or number != int(number):
        return None
    return _bounded(lambda: datetime.strptime(str(int(number)), "%Y%m%d"))


def _bounded(make: Callable[[], datetime | None]) -> datetime | None:
    """What `make` gives, as UTC; None when it cannot, or lies outside 2000-2099."""
    try:
        moment = make()
        if moment is None:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError, TypeError, IndexError):
        return None
    return moment if EARLIEST <= moment < LATEST else None

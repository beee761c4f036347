"""How long a server asks to be left alone: the Retry-After header (RFC 9110 section 10.2.3)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite


def http_date(said: str) -> datetime | None:
    """A header's date, UTC where it names no zone; None for what is none."""
    try:
        moment = parsedate_to_datetime(said)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def seconds_asked(said: str, *, since: datetime | None) -> float | None:
    """Seconds, 0.0 or more and without a limit, from a number or from a date after `since`.

    None for what is neither, for more digits than any number has, and for a date when nobody
    knows since when.
    """
    value = said.strip()
    if value.isascii() and value.isdigit():
        seconds = float(value)
        return seconds if isfinite(seconds) else None
    until = http_date(value)
    if until is None or since is None:
        return None
    return max(0.0, (until - since).total_seconds())

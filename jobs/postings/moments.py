"""Points in time as sources write them, to aware datetimes in UTC."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Final

EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2100, 1, 1, tzinfo=UTC)
_LONGEST: Final = 80

_NUMBER: Final = re.compile(r"\d{9,19}(?:\.\d{1,9})?", re.ASCII)
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:?\d\d.*)?", re.ASCII)
_RFC_822: Final = re.compile(r"(?:[A-Za-z]{3},\s*)?\d{1,2} [A-Za-z]{3} \d{4} \d\d:\d\d.*", re.ASCII)
_LABEL: Final = re.compile(r"^(?:posted|published|created|renewed)(?: on)?\b[:\s]*", re.IGNORECASE)
_FORMATS: Final = (
    "%m/%d/%Y %I:%M%p", "%m/%d/%Y %I:%M %p", "%m/%d/%Y %I:%M:%S %p", "%m/%d/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S", "%m/%d/%Y", "%B %d, %Y %H:%M", "%b %d, %Y %H:%M", "%B %d, %Y %I:%M %p",
    "%b %d, %Y %I:%M %p", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d",
)  # fmt: skip

_UNITS: Final = (
    (r"s|secs?|seconds?|segundos?|sekunden?|secondes?", timedelta(seconds=1)),
    (r"m|mins?|minutes?|minutos?|minuten?|دقيقة|دقائق|دقيقتين", timedelta(minutes=1)),
    (r"h|hrs?|hours?|horas?|heures?|stunden?|ساعة|ساعات|ساعتين", timedelta(hours=1)),
    (r"d|days?|d[ií]as?|jours?|tage?n?|يوم|أيام|يومين|يوما", timedelta(days=1)),
    (r"w|wks?|weeks?|semanas?|semaines?|wochen?|أسبوع|أسابيع", timedelta(weeks=1)),
    (r"mo|months?|m[eê]s|mese?s|mois|monate?n?|شهر|أشهر", timedelta(days=30)),
    (r"quarters?", timedelta(days=91)),
    (r"y|yrs?|years?|años?|anos?|ans?|jahre?n?|سنة", timedelta(days=365)),
)
_UNIT_NAMES: Final = "|".join(names for names, _ in _UNITS)
_AGO: Final = re.compile(
    rf"(?:(?P<before>hace|há|il y a|vor|منذ)\s+)?(?P<count>an?|one|last|um|uma|una?|\d{{1,4}})?\+?"
    rf"\s*(?P<unit>{_UNIT_NAMES})(?P<after>\s+(?:ago|atrás))?",
    re.IGNORECASE,
)
_WORDS: Final = {
    "just now": timedelta(0), "now": timedelta(0), "today": timedelta(0), "hoy": timedelta(0),
    "hoje": timedelta(0), "yesterday": timedelta(days=1), "ayer": timedelta(days=1),
    "ontem": timedelta(days=1), "gestern": timedelta(days=1), "hier": timedelta(days=1),
}  # fmt: skip


def absolute(value: object) -> datetime | None:
    """The moment a value names by itself, in UTC; None when it names none, or none in 2000-2099.

    ISO 8601 (without a zone it is UTC), seconds, milliseconds, micro- or nanoseconds since 1970
    as number or text, RFC 822, and the American forms of _FORMATS.  Never raises.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _of_epoch(value)
    if isinstance(value, datetime):
        return _bounded(lambda: value)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = " ".join(_LABEL.sub("", value.strip()).split())
    if _NUMBER.fullmatch(text):
        return _of_epoch(float(text))
    if _ISO.fullmatch(text):
        return _bounded(lambda: datetime.fromisoformat(text.removesuffix(" UTC")))
    if _RFC_822.fullmatch(text):
        return _bounded(lambda: parsedate_to_datetime(text))
    return _of_formats(text) if any(map(str.isdigit, text)) else None


def relative(value: object, fetched_at: datetime) -> datetime | None:
    """The moment that "Posted 6 minutes ago" or "yesterday" was, seen from `fetched_at`.

    Months have 30 days, quarters 91, years 365.  Time still to come ("6 days left") gives None.
    """
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = " ".join(_LABEL.sub("", value.strip()).casefold().split())
    back = _WORDS.get(text)
    if back is None:
        back = _back(text)
    return None if back is None else _bounded(lambda: fetched_at - back)


def _back(text: str) -> timedelta | None:
    found = _AGO.fullmatch(text)
    if found is None:
        return None
    count = found["count"] or ("1" if found["before"] else "")
    if not count or not (found["before"] or found["after"] or count == "last"):
        return None
    times = int(count) if count.isdigit() else 1
    for names, length in _UNITS:
        if re.fullmatch(names, found["unit"]):
            return times * length
    return None


def _of_epoch(number: float) -> datetime | None:
    """Seconds, ms, µs or ns since 1970, told apart by their size."""
    if not 10**8 <= number < 10**19:
        return None
    scale = next(s for s in (1, 10**3, 10**6, 10**9) if number < 10**11 * s or s == 10**9)
    return _bounded(lambda: datetime.fromtimestamp(number / scale, UTC))


def _of_formats(text: str) -> datetime | None:
    text = re.sub(r"\s*\b(?:UTC|GMT)$", "", text)
    moments = (_bounded(partial(datetime.strptime, text, form)) for form in _FORMATS)
    return next((moment for moment in moments if moment), None)


def _bounded(make: Callable[[], datetime]) -> datetime | None:
    """What `make` gives, as UTC; None when it cannot, or lies outside 2000-2099."""
    try:
        moment = make()
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError, TypeError, IndexError):
        return None
    return moment if EARLIEST <= moment < LATEST else None

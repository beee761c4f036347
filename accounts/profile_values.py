"""Reading one value of a profile: what it must be, and what to write instead."""

import json
import re
import unicodedata
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from zoneinfo import available_timezones

from accounts.categories import category_slug
from accounts.countries import country_code
from accounts.languages import language_code
from accounts.plain_words import plain_words
from accounts.vocabulary import CATEGORIES, MAX_LIST

Reader = Callable[[object], Any]

_JOINERS: Final = "\u200c\u200d"  # invisible, but they hold letters and emoji together
_CLOCK: Final = re.compile(r"(?P<hour>[01]?\d|2[0-3])(?::(?P<minute>[0-5]\d)(?::00)?)?", re.ASCII)


class ProfileError(ValueError):
    """A key or value of a profile is wrong; the message names it and says what to write."""


def text(value: object, *, limit: int, least: int = 0, lines: bool = False) -> str:
    """Printable text of `least` to `limit` characters, its spaces collapsed; one line or many."""
    if not isinstance(value, str):
        raise ProfileError(f"{_shown(value)} is not text; write it in quotes.")
    rows = [_one_line(row) for row in unicodedata.normalize("NFC", value).splitlines()]
    found = ("\n" if lines else " ").join(rows).strip()
    if not least <= len(found) <= limit:
        raise ProfileError(
            f"{_shown(value)} has {len(found)} characters; write {least} to {limit}."
        )
    return found


def _one_line(row: str) -> str:
    kept = "".join(c for c in row if c.isprintable() or c.isspace() or c in _JOINERS)
    return " ".join(kept.split()).strip(_JOINERS)


def word(value: object, *, limit: int) -> str:
    """A word or phrase to look for: up to `limit` characters, and not of dashes alone."""
    found = text(value, limit=limit, least=1)
    if not plain_words(found):
        raise ProfileError(f"{_shown(value)} has no letter or sign to look for; write a word.")
    return found


def listed(value: object, *, each: Reader) -> list[Any]:
    """A list, each entry read by `each`, repeats dropped."""
    if not isinstance(value, list | tuple):
        raise ProfileError(f'{_shown(value)} is not a list; write one such as ["…"], or [].')
    if len(value) > MAX_LIST:
        raise ProfileError(f"{len(value)} entries are too many; write at most {MAX_LIST}.")
    return list(dict.fromkeys(each(item) for item in value))


def one_of(value: object, *, choices: tuple[str, ...]) -> str:
    """One of the choices."""
    if value not in choices:
        raise ProfileError(f"{_shown(value)} is not known; write one of {', '.join(choices)}.")
    return str(value)


def number(value: object, *, low: int, high: int) -> Decimal | None:
    """A finite number in [low, high], to two places; None stays None."""
    if value is None:
        return None
    found = _finite(value)
    if found is None or not low <= found <= high:
        raise ProfileError(
            f"{_shown(value)} is not a number from {low} to {high}; write one, or null."
        )
    return round(found, 2)


def whole(value: object, *, low: int, high: int, or_none: bool = True) -> int | None:
    """A whole number in [low, high]; None stays None where `or_none`."""
    if value is None and or_none:
        return None
    found = _finite(value)
    if found is None or not low <= found <= high or found != int(found):
        end = "write one, or null" if or_none else "write one"
        raise ProfileError(f"{_shown(value)} is not a whole number from {low} to {high}; {end}.")
    return int(found)


def _finite(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = Decimal(str(value))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ProfileError(f"{_shown(value)} is neither true nor false; write one of these.")
    return value


def country(value: object) -> str:
    """Any name or code of a country, as ISO 3166 alpha-2."""
    code = country_code(value) if isinstance(value, str) else None
    if code is None:
        raise ProfileError(f"{_shown(value)} is not a country; write one such as DE or Germany.")
    return code


def language(value: object) -> str:
    """A name or code of a language, as ISO 639-1."""
    code = language_code(value) if isinstance(value, str) else None
    if code is None:
        raise ProfileError(f"{_shown(value)} is not a language; write one such as en or English.")
    return code


def category(value: object) -> str:
    """A category's slug, name or sub-category, as its slug."""
    slug = category_slug(value) if isinstance(value, str) else None
    if slug is None:
        raise ProfileError(
            f"{_shown(value)} is not a category; write one of {', '.join(CATEGORIES)}."
        )
    return slug


def timezone(value: object) -> str:
    """A name that the tz database knows."""
    if not isinstance(value, str) or value not in available_timezones():
        raise ProfileError(f"{_shown(value)} is not a time zone; write one such as Europe/Berlin.")
    return value


def clock_time(value: object) -> time | None:
    """A time of day: an hour 0-23, or HH:MM."""
    if value is None:
        return None
    readable = isinstance(value, int | str) and not isinstance(value, bool)
    written = _CLOCK.fullmatch(str(value).strip()) if readable else None
    if written is None:
        raise ProfileError(
            f"{_shown(value)} is not a time of day; write one such as 22:00, or null."
        )
    return time(int(written["hour"]), int(written["minute"] or 0))


def moment(value: object) -> datetime | None:
    """An ISO 8601 time that a clock of any zone can show, as aware UTC; without a zone it is taken
    as UTC."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value if isinstance(value, str) else "")
        at = (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        if MINYEAR < at.year < MAXYEAR:
            return at
    except (ValueError, OverflowError):
        pass
    raise ProfileError(
        f"{_shown(value)} is not a time; write one such as 2030-01-31T08:00:00Z, or null."
    )


def _shown(value: object) -> str:
    """The value as the file has it, cut short."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return f"{value!r:.60}"

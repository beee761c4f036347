"""Reading one value of a profile: what it must be, and what to write instead."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import available_timezones

from accounts.countries import country_code
from accounts.languages import language_code
from accounts.vocabulary import MAX_LIST

Reader = Callable[[object], Any]


class ProfileError(ValueError):
    """A key or value of a profile is wrong; the message names it and says what to write."""


def text(value: object, *, limit: int, least: int = 0) -> str:
    """Printable text, trimmed, of `least` to `limit` characters."""
    if not isinstance(value, str):
        raise ProfileError(f"{value!r:.60} is not text.")
    text = "".join(c for c in value if c in "\n\t" or c.isprintable()).strip()
    if not least <= len(text) <= limit:
        raise ProfileError(f"{len(text)} characters; write {least} to {limit}.")
    return text


def listed(value: object, *, each: Reader) -> list[Any]:
    """A list, each entry read by `each`, repeats dropped."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ProfileError(f"{value!r:.60} is not a list; write one such as [\"…\"].")
    if len(value) > MAX_LIST:
        raise ProfileError(f"{len(value)} entries; {MAX_LIST} is the most.")
    return list(dict.fromkeys(each(item) for item in value))


def one_of(value: object, *, choices: Sequence[str]) -> str:
    """One of the choices."""
    if value not in choices:
        raise ProfileError(f"{value!r:.60} is not one of {', '.join(choices)}.")
    return str(value)


def number(value: object, *, low: int, high: int, places: int = 2) -> Decimal | None:
    """A finite number in [low, high], rounded; None stays None."""
    if value is None:
        return None
    try:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise InvalidOperation
        number = Decimal(str(value))
        if not number.is_finite() or not low <= number <= high:
            raise InvalidOperation
    except InvalidOperation:
        raise ProfileError(f"{value!r:.60} is not a number from {low} to {high}.") from None
    return round(number, places)


def whole(value: object, *, low: int, high: int, or_none: bool = True) -> int | None:
    """A whole number in [low, high]; None stays None where `or_none`."""
    number = number(value, low=low, high=high) if value is not None or or_none else Decimal("NaN")
    if number is None:
        return None
    if not number.is_finite() or number != int(number):
        raise ProfileError(f"{value!r:.60} is not a whole number from {low} to {high}.")
    return int(number)


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ProfileError(f"{value!r:.60} is neither true nor false.")
    return value


def country(value: object) -> str:
    """Any name or code of a country, as ISO 3166 alpha-2."""
    code = country_code(value) if isinstance(value, str) else None
    if code is None:
        raise ProfileError(f"{value!r:.60} is not a country; write one such as DE or Germany.")
    return code


def language(value: object) -> str:
    """A name or code of a language, as ISO 639-1."""
    code = language_code(value) if isinstance(value, str) else None
    if code is None:
        raise ProfileError(f"{value!r:.60} is not a language; write one such as en or English.")
    return code


def timezone(value: object) -> str:
    """A name that the tz database knows."""
    if value not in available_timezones():
        raise ProfileError(f"{value!r:.60} is not a time zone; write one such as Europe/Berlin.")
    return str(value)


def clock_time(value: object) -> time | None:
    """A time of day: an hour 0-23, or HH:MM."""
    if value is None:
        return None
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return time(value)
        return time.fromisoformat(str(value)).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError:
        raise ProfileError(f"{value!r:.60} is not a time of day; write one such as 22:00.") from None


def moment(value: object) -> datetime | None:
    """An ISO 8601 time as aware UTC; without a zone it is taken as UTC."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise ProfileError(
            f"{value!r:.60} is not a time; write one such as 2030-01-31T08:00:00Z."
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)

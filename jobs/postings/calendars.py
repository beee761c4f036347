"""Dates in words and in figures: "10. November 2026", "11/13/2026, 3:05 PM", "Tue Nov 10 2026"."""

import re
import unicodedata
from datetime import datetime, timedelta, timezone
from typing import Final

_MONTHS: Final = """
january jan januar janvier enero ene janeiro stycznia styczen sty gennaio gen января январь يناير
february feb februar fevrier fev febrero fevereiro lutego luty lut febbraio февраля февраль فبراير
march mar marz maerz mrz mars marzo marco marca marzec марта март مارس
april apr avril avr abril abr kwietnia kwiecien kwi aprile апреля апрель أبريل ابريل
may mai mayo maio maja maj maggio mag мая май مايو
june jun juni juin junio junho czerwca czerwiec cze giugno июня июнь يونيو
july jul juli juillet julio julho lipca lipiec lip luglio июля июль يوليو
august aug aout agosto ago sierpnia sierpien sie августа август أغسطس
september sep sept septembre septiembre setembro wrzesnia wrzesien wrz settembre set сентября سبتمبر
october oct oktober okt octobre octubre outubro pazdziernika pazdziernik paz ottobre октября أكتوبر
november nov novembre noviembre novembro listopada listopad lis ноября ноябрь نوفمبر
december dec dezember dez decembre diciembre dic dezembro grudnia grudzien gru dicembre декабря
"""
_MONTH_OF: Final = {
    name: number
    for number, line in enumerate(_MONTHS.strip().splitlines(), start=1)
    for name in line.split()
}
# Words around a date that say nothing more.
_IDLE: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri "
    "sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag mo di mi do fr sa so "
    "lundi mardi mercredi jeudi vendredi samedi dimanche "
    "lunes martes miercoles jueves viernes sabado "
    "domingo segunda terca quarta quinta sexta feira poniedzialek wtorek sroda czwartek piatek "
    "sobota niedziela at on of de del um uhr a as o le klo st nd rd th h g r roku".split()
)
# Hours from UTC of names that mean one zone; CST, IST and BST mean several.
_ZONES: Final = {
    "utc": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
    "pdt": -7, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "wet": 0,
}  # fmt: skip

_CLOCK: Final = re.compile(
    r"(?<![\d:])(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:\s*([ap])\.?m\b\.?)?", re.IGNORECASE
)
_HOUR: Final = re.compile(r"(?<![\d:/.-])(\d{1,2})\s*([ap])\.?m\b\.?", re.IGNORECASE)
_OFFSET: Final = re.compile(r"(?:\b(?:UTC|GMT)\s*|(?<=\s))([+-])(\d\d):?(\d\d)?(?=\s|$)")
_COMMENT: Final = re.compile(r"\([^()]*\)\s*$")
_YEAR_FIRST: Final = re.compile(r"(?<!\d)(20\d\d)([/.-])(\d{1,2})\2(\d{1,2})(?!\d)")
_YEAR_LAST: Final = re.compile(r"(?<!\d)(\d{1,2})([/.-])(\d{1,2})\2(20\d\d)(?!\d)")
_EASTERN: Final = re.compile(r"(20\d\d)\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_WORD: Final = re.compile(r"[^\W\d_]+")


def dated(text: str) -> datetime | None:
    """The time a text names by a day, a month and a year, aware when it names a zone.

    With a month in words, in any order; in figures with the year first, with dots (day first),
    or where only one of day and month can be which; a clock with am or pm is American, month
    first.  ValueError for a day that is none.
    """
    text = _EASTERN.sub(r"\1-\2-\3 ", _COMMENT.sub("", text))
    clock, left = _clock(text)
    offset, left = _offset(left)
    day = _day_in_figures(left, american=clock is not None and clock[3]) or _day_in_words(left)
    if day is None or offset is _UNKNOWN:
        return None
    hour, minute, second = clock[:3] if clock else (0, 0, 0)
    return datetime(*day, hour, minute, second, tzinfo=offset)


def _clock(text: str) -> tuple[tuple[int, int, int, bool] | None, str]:
    """The time of day, whether it says am or pm, and the text without it."""
    found = _CLOCK.search(text)
    if found:
        hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
        half = (found[4] or "").lower()
    elif found := _HOUR.search(text):
        hour, minute, second, half = int(found[1]), 0, 0, found[2].lower()
    else:
        return None, text
    if half and not 1 <= hour <= 12 and not (hour == 0 and half == "a"):
        half = ""
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    left = f"{text[: found.start()]} {text[found.end() :]}"
    return (hour, minute, second, bool(half)), left


_UNKNOWN: Final = timezone(timedelta(hours=23, minutes=59))


def _offset(text: str) -> tuple[timezone | None, str]:
    """The zone a text names, None for none, _UNKNOWN for one that means several."""
    found = _OFFSET.search(text)
    if found:
        size = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        left = text[: found.start()] + " " + text[found.end() :]
        return timezone(size if found[1] == "+" else -size), left
    for word in _WORD.findall(text):
        if (word.isupper() and len(word) > 2) or word == "Z":
            if word.lower() in _ZONES:
                left = re.sub(rf"\b{word}\b", " ", text)
                return timezone(timedelta(hours=_ZONES[word.lower()])), left
            if _plain(word) not in _MONTH_OF and _plain(word) not in _IDLE:
                return _UNKNOWN, text
    return None, text


def _day_in_figures(text: str, *, american: bool) -> tuple[int, int, int] | None:
    if found := _YEAR_FIRST.search(text):
        return (int(found[1]), int(found[3]), int(found[4])) if _idle(text, found) else None
    found = _YEAR_LAST.search(text)
    if found is None or not _idle(text, found):
        return None
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if found[2] == "." or first > 12 or first == second:
        return year, second, first
    if second > 12 or american:
        return year, first, second
    return None


def _day_in_words(text: str) -> tuple[int, int, int] | None:
    names = [_plain(word) for word in _WORD.findall(text)]
    months = {_MONTH_OF[name] for name in names if name in _MONTH_OF}
    idle = all(name in _MONTH_OF or name in _IDLE for name in names)
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    years = [number for number in numbers if 2000 <= number <= 2099]
    days = [number for number in numbers if 1 <= number <= 31]
    if len(months) != 1 or len(years) != 1 or len(days) != 1 or len(numbers) != 2 or not idle:
        return None
    return years[0], months.pop(), days[0]


def _idle(text: str, found: re.Match[str]) -> bool:
    """Whether nothing beside the figures says anything."""
    rest = text[: found.start()] + " " + text[found.end() :]
    words = (_plain(word) for word in _WORD.findall(rest))
    return not re.search(r"\d", rest) and all(word in _IDLE or word == "t" for word in words)


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold().replace("ł", "l"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))

"""How long work takes, as sources say it, to the five lengths a posting may have."""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from accounts.vocabulary import DURATIONS, Duration
from jobs.postings.agos import counted, is_ago
from jobs.postings.wording import count, short_text

_WORKLOAD: Final = re.compile(
    r"(?:less than|more than|up to)?\s*[\d+ -]*\s*(?:hrs?|hours?)\s*(?:/|per|a)\s*(?:week|wk)",
    re.IGNORECASE,
)
_DAYS: Final = (
    (r"hours?|hrs?|horas?|stunden?|heures?|godzin\w*", Decimal(1) / 24),
    (
        r"days?|d[ií]as?|jours?|giorn[oi]|dagen|gün|tage?n?|dni|dzie\w+|дн\w*|день|يوما?|أيام|يومين|روز|天|日間?|일",
        Decimal(1),
    ),
    (
        r"weeks?|wks?|semanas?|semaines?|settiman[ae]|weken|hafta|wochen?|tygod\w+|tydzie\w+|недел\w*|тижн\w*|тиждень|أسبوع|أسابيع|هفته|周|週間?",
        Decimal(7),
    ),
    (
        r"months?|mos?|m[eê]s|mese?s?|mesi|maand|maanden|ay|개월|mois|monate?n?|miesi\w+|месяц\w*|місяц\w*|شهر|أشهر|شهرين|ماه|个月|[かヶ]月",
        Decimal(30),
    ),
    (r"years?|yrs?|años?|anos?|ans?|jahre?n?|lata?|rok\w*|год\w*|سنة", Decimal(365)),
)
_LENGTH: Final = re.compile(
    r"(?P<more>more than|over|m[aá]s de|mais de|mehr als|über|plus de|ponad|powyżej|более|>)?\s*"
    r"(?:\d+\s*(?:-|\u2013|\u2014|to|a|à|bis|do|до)\s*)?"
    r"(?P<count>\d{1,4})\s*(?P<plus>\+|or more)?\s*(?P<unit>"
    + "|".join(names for names, _ in _DAYS)
    + r")\b(?P<more_after>\s*(?:\+|or more))?",
    re.IGNORECASE,
)
_COUNTS: Final = {
    word: str(number)
    for number, words in (
        (1, "a an one un une una um uma ein eine einen einem eines einer jeden jednego"),
        (2, "two zwei deux dos dois duas"),
        (3, "three drei trois tres três"),
        (4, "four vier quatre cuatro quatro"),
        (6, "six sechs seis"),
    )
    for word in words.split()
}
# Before a unit only: "a 3 meses" is no count.
_COUNTED: Final = re.compile(
    rf"\b(?:{'|'.join(_COUNTS)})(?= (?:{'|'.join(names for names, _ in _DAYS)})\b)"
)
_NAME: Final = re.compile(r"(?=[A-Za-z\d]*(?:_|[a-z][A-Z]))[A-Za-z\d_]+")
_NAME_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HALF_A_YEAR: Final = re.compile(r"\bhalf (?:a )?year\b|\bhalbes jahr\b")
_ISO: Final = re.compile(r"p(\d{1,3})([dwmy])")
_ISO_UNITS: Final = {"d": "days", "w": "weeks", "m": "months", "y": "years"}
_ONGOING: Final = re.compile(
    r"\b(?:ongoing|long[ -]?term|laufend|langfristig|en cours|long terme|continuo|cont[ií]nuo|"
    r"indefinid\w|largo plazo|longo prazo|permanent|indefinite|długotermin\w+|постоянн\w+)"
)
_ENDS: Final = ("max", "to", "value", "amount", "count", "min")
_LABELS: Final = ("label", "text", "display", "displayValue", "name", "value", "raw", "type")
_UP_TO: Final[tuple[tuple[int, Duration], ...]] = (
    (7, "week"),
    (31, "month"),
    (92, "quarter"),
    (186, "semester"),
)


def duration(value: object) -> Duration | None:
    """How long the work takes, by its upper end.

    Up to 7 days is a week, 31 a month, 92 a quarter, 186 a semester, more is ongoing; hours per
    week beside it say nothing.  An object may hold `label` and `weeks`.
    """
    if isinstance(value, Mapping):
        for unit in ("days", "weeks", "months", "years"):
            if (number := count(value.get(unit))) and not short_text(value.get("label")):
                return duration(f"{number} {unit}")
        number = next((n for key in _ENDS if (n := count(value.get(key)))), None)
        unit = short_text(value.get("unit")) or short_text(value.get("units"))
        if number and unit:
            return duration(f"{number} {unit}")
        return next(
            (found for key in _LABELS if (found := duration(short_text(value.get(key))))), None
        )
    text = short_text(value)
    if _NAME.fullmatch(text):
        text = _parted(text)
    return _duration_of(text.casefold()) if text else None


def _parted(name: str) -> str:
    """The words of a name such as `MORE_THAN_6_MONTHS` or `lessThanOneMonth`."""
    return " ".join(_NAME_PART.findall(name))


@lru_cache(maxsize=1024)
def _duration_of(text: str) -> Duration | None:
    for name in DURATIONS:
        if text == name:
            return name
    text = _HALF_A_YEAR.sub("6 months", text)
    text = counted(_COUNTED.sub(lambda found: _COUNTS[found[0]], _WORKLOAD.sub(" ", text)))
    if found := _ISO.fullmatch(text):
        text = f"{found[1]} {_ISO_UNITS[found[2]]}"
    if is_ago(text):
        return None
    if _ONGOING.search(text):
        return "ongoing"
    found = _LENGTH.search(text)
    if found is None:
        return None
    days = _days(found)
    return next((name for most, name in _UP_TO if days <= most), "ongoing")


def _days(found: re.Match[str]) -> Decimal:
    """The days a match of _LENGTH names, a little more for "more than"."""
    unit = next(size for names, size in _DAYS if re.fullmatch(names, found["unit"], re.IGNORECASE))
    days = int(found["count"]) * unit
    if found["more"] or found["plus"] or found["more_after"]:
        return max(days * Decimal("1.05"), Decimal(8)) if unit > 7 else days + 1
    return days

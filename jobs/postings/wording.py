"""What sources call levels, kinds of job, durations, yes and no, and counts of proposals.

Each function takes any JSON value, gives None for what it does not know, and never raises.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

from accounts.vocabulary import DURATIONS, Duration, JobType, Level

_LONGEST: Final = 200
MOST: Final = 2_000_000_000  # PostgreSQL's integer ends above it

# Upwork's tiers 1-3 and types 1-2 as its web client numbers them.
_LEVEL_NUMBERS: Final[dict[str, Level]] = {"1": "entry", "2": "intermediate", "3": "expert"}
_LEVEL_WORDS: Final[dict[str, Level]] = {
    "entry": "entry",
    "beginner": "entry",
    "junior": "entry",
    "intermediate": "intermediate",
    "expert": "expert",
    "advanced": "expert",
}
_TYPE_NUMBERS: Final[dict[str, JobType]] = {"1": "fixed", "2": "hourly"}
_YES: Final = frozenset(
    "true yes y 1 verified paymentverified paymentmethodverified sim sí si".split()
)
_NO: Final = frozenset(
    "false no n 0 notverified unverified paymentunverified paymentnotverified "
    "paymentmethodnotverified não".split()
)

_WORKLOAD: Final = re.compile(
    r"(?:less than|more than|up to)?\s*[\d+ -]*\s*(?:hrs?|hours?)\s*(?:/|per|a)\s*(?:week|wk)",
    re.IGNORECASE,
)
_DAYS: Final = (
    (r"hours?|hrs?|horas?", Decimal(1) / 24),
    (r"days?|d[ií]as?|jours?|tage?n?|يوما?|أيام|يومين", Decimal(1)),
    (r"weeks?|semanas?|semaines?|wochen?|أسبوع|أسابيع", Decimal(7)),
    (r"months?|m[eê]s|mese?s?|mois|monate?n?|شهر|أشهر|شهرين", Decimal(30)),
    (r"years?|años?|anos?|سنة", Decimal(365)),
)
_LENGTH: Final = re.compile(
    r"(?P<more>more than|over|m[aá]s de|mais de|>)?\s*(?:\d+\s*(?:-|\u2013|to|a)\s*)?"
    r"(?P<count>\d{1,4})\s*(?P<plus>\+|or more)?\s*(?P<unit>"
    + "|".join(names for names, _ in _DAYS)
    + r")\b(?P<more_after>\s*(?:\+|or more))?",
    re.IGNORECASE,
)
_UP_TO: Final[tuple[tuple[int, Duration], ...]] = (
    (7, "week"),
    (31, "month"),
    (92, "quarter"),
    (186, "semester"),
)


def level(value: object) -> Level | None:
    """The experience a job asks for, from words ("Expert ($$$)", "EntryLevel") or tiers 1-3."""
    text = _text(value).casefold()
    if text in _LEVEL_NUMBERS:
        return _LEVEL_NUMBERS[text]
    found = {name for word, name in _LEVEL_WORDS.items() if word in text}
    return found.pop() if len(found) == 1 else None


def job_type(value: object) -> JobType | None:
    """Hourly or fixed, from words ("Fixed-price", "Hourly: $5-$8") or Upwork's 1 and 2."""
    text = _text(value).casefold()
    if text in _TYPE_NUMBERS:
        return _TYPE_NUMBERS[text]
    hourly = "hourly" in text or re.search(r"/\s*h(?:ou)?r?\b|\bper hour\b", text) is not None
    fixed = "fixed" in text or "one-time" in text
    if hourly == fixed:
        return None
    return "hourly" if hourly else "fixed"


def duration(value: object) -> Duration | None:
    """How long the work takes, by its upper end.

    Up to 7 days is a week, 31 a month, 92 a quarter, 186 a semester, more is ongoing; hours per
    week beside it say nothing.  An object may hold `label` and `weeks`.
    """
    if isinstance(value, Mapping):
        weeks = count(value.get("weeks"))
        label = value.get("label")
        return duration(label if isinstance(label, str) else f"{weeks} weeks")
    text = _text(value).casefold()
    return _duration_of(text) if text else None


@lru_cache(maxsize=1024)
def _duration_of(text: str) -> Duration | None:
    for name in DURATIONS:
        if text == name:
            return name
    text = _WORKLOAD.sub(" ", text)
    if re.search(r"\b(?:ongoing|long[ -]term)\b", text):
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


def truth(value: object) -> bool | None:
    """Yes or no, from truth values, 1 and 0, and whole words such as `NOT_VERIFIED`."""
    if isinstance(value, bool):
        return value
    text = re.sub(r"[\W_]", "", _text(value).casefold())
    if text in _YES:
        return True
    return False if text in _NO else None


def count(value: object) -> int | None:
    """A whole number from 0 up to 2 x 10^9: a number, or the first one in a short text."""
    if isinstance(value, float):
        return int(value) if 0 <= value <= MOST and value.is_integer() else None
    text = _text(value).replace(",", "")
    found = re.match(r"[^\d-]*(\d{1,10})(?!\d|[.,]\d*[1-9])", text)
    return int(found[1]) if found and int(found[1]) <= MOST else None


def proposals(value: object) -> int | None:
    """How many applied, the upper end: "10 to 15" 15, "Less than 5" 4, "50+" 50, `lessThan5` 4."""
    if not isinstance(value, str):
        return count(value)
    text = re.sub(r"^[A-Za-z]\w*\.(?=[A-Za-z\d]+$)", "", _text(value))
    if found := re.search(r"(?:less\s*than|fewer\s*than|under|<)\s*(\d{1,9})", text, re.IGNORECASE):
        return max(int(found[1]) - 1, 0)
    if found := re.search(r"\d{1,9}\s*(?:to|-|\u2013|a)\s*(\d{1,9})", text, re.IGNORECASE):
        return int(found[1])
    return count(text)


def ratio(value: object, most: int) -> Decimal | None:
    """A number from 0, with two decimals: a number, or the first one in a short text.

    Above `most` it is None.  "4,9" and "Rating is 5.0 out of 5." are read, negatives are not.
    """
    if isinstance(value, bool):
        return None
    text = _text(value).replace(",", ".")
    found = re.match(r"[^\d-]*(\d{1,12}(?:\.\d{1,30})?)(?!\d|e[+-]?\d)", text)
    if found is None:
        return None
    exact = Decimal(found[1])
    return abs(exact.quantize(Decimal("0.01"))) if exact <= most else None


def _text(value: object) -> str:
    """The value as a short text; "" for what is none."""
    if isinstance(value, str):
        return value.strip() if len(value) <= _LONGEST else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(value) if -(10**15) < value < 10**15 else ""

"""Amounts of money as sources write them: numbers, `$1,500.00`, `$3-$8/hr`, `USD 1.000 - 3.000`.

Nothing is invented: without a digit in the input there is no amount.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from jobs.postings.currencies import MARK, currency_code, currency_in

CENT: Final = Decimal("0.01")
TOO_MUCH: Final = Decimal(10) ** 10  # NUMERIC(12, 2) ends below it

_MULTIPLES: Final = {"": 1, "k": 1_000, "m": 1_000_000, "b": 1_000_000_000}
_LONGEST: Final = 100

_AMOUNT: Final = r"(\d+(?:[.,'\u2019]\d+|[ \xa0]\d{3}(?!\d))*)\s?([kmb](?![a-z]))?\+?"
_CODE: Final = r"(?:\b[A-Z]{3}\b)"
_TO: Final = r"\s*(?:-|\u2013|\u2014|~|\bto\b|\band\b|\ba\b|\baté\b|\bhasta\b|\be\b|\by\b)\s*"
_RANGE: Final = re.compile(
    rf"{_AMOUNT}(?:\s*/\s*h(?:ou)?r?)?(?:\s*{_CODE})?"
    rf"(?:{_TO}(?:{MARK}|{_CODE})?\s*{_AMOUNT})?",
    re.IGNORECASE,
)
_MARKED: Final = re.compile(rf"(?:{MARK}|\b[A-Z]{{3}})\s?(?=\d)")
_NUMBER: Final = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?", re.IGNORECASE)
_NEGATIVE: Final = re.compile(r"(?:^|[$€£₹:(])\s?[-\u2212]\s?(?:[$€£₹]\s?)?\d")
_AT_LEAST: Final = re.compile(
    r"\b(?:over|more than|above|at least|from|m[aá]s de|mais de|min)\b|\d[kmb]?\+", re.IGNORECASE
)
_AT_MOST: Final = re.compile(
    r"\b(?:less than|under|below|up to|at most|menos de|até|max)\b", re.IGNORECASE
)
_HOURLY: Final = re.compile(
    r"\bhourly\b|(?:/|\bper|\ban)\s*h(?:our|r)?s?\b|\bhora\b|/\s*h\b", re.IGNORECASE
)
_FIXED: Final = re.compile(r"\bfixed\b|\best\.?\s*budget\b", re.IGNORECASE)
_AVERAGE: Final = re.compile(r"\bavg\b|\baverage\b", re.IGNORECASE)
# Words that may stand beside an amount without a currency; others mean it is no money.
_WORDS: Final = frozenset(
    "budget est estimated amount hourly fixed price rate range per hour hours hr hrs h to a and "
    "max min up from less more than over under between at most least k m b e y ate hasta de mas "
    "mais menos hora spent total dollars dollar rupees euros only about around approx".split()
)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount or a range; `low` or `high` is None where the source left it open.

    An amount alone is both ends, and not `ranged`.  `hourly` and `fixed` say whether the text
    named itself so.
    """

    low: Decimal | None = None
    high: Decimal | None = None
    currency: str | None = None
    ranged: bool = False
    hourly: bool = False
    fixed: bool = False

    @property
    def upper(self) -> Decimal | None:
        """The upper end, or the only bound there is."""
        return self.high if self.high is not None else self.low

    @property
    def lower(self) -> Decimal | None:
        """The lower end, or the only bound there is."""
        return self.low if self.low is not None else self.high


NOTHING: Final = Money()


def money(value: object) -> Money:
    """The money in a raw value; NOTHING when there is none, or none to be believed.

    Takes numbers, texts up to 100 characters and objects such as `{"rawValue": "5.0",
    "currency": "USD"}` or `{"min": 3, "max": 8}`.  Amounts are at or above 0, in cents, below
    10^10; a zero counts.  Never raises.
    """
    if isinstance(value, str):
        return _of_text(value.strip()) if len(value) <= _LONGEST else NOTHING
    if isinstance(value, Mapping):
        return _of_object(value)
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str | int | float):
        return money(value[0])
    exact = amount(value)
    return Money(exact, exact)


def amount(value: object) -> Decimal | None:
    """A number, or the text of one, as cents from 0 up to 10^10; else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return _cents(value.strip()) if _NUMBER.fullmatch(value.strip()) else None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not 0 <= value < TOO_MUCH:
        return None
    return _cents(str(value)) if isinstance(value, int | float | Decimal) else None


def _of_object(value: Mapping[object, object]) -> Money:
    names = {key.lower(): part for key, part in value.items() if isinstance(key, str)}
    codes = (names.get(key) for key in ("currency", "currencycode", "isocurrencycode", "code"))
    currency = next((code for raw in codes if (code := currency_code(raw))), None)
    ends = [names.get(key) for key in ("min", "max")]
    if any(end is not None for end in ends):
        low, high = (amount(end) for end in ends)
        return Money(low, high, currency, ranged=True)
    for key in ("rawvalue", "amount", "value", "displayvalue"):
        part = names.get(key)
        found = money(part) if isinstance(part, str | int | float) else NOTHING
        if found.upper is not None:
            return Money(found.low, found.high, currency or found.currency)
    return NOTHING


def _of_text(text: str) -> Money:
    if not any(map(str.isdigit, text)) or _AVERAGE.search(text) or _NEGATIVE.search(text):
        return NOTHING
    if _NUMBER.fullmatch(text):
        exact = amount(text)
        return Money(exact, exact)
    currency = currency_in(text)
    if currency is None and not _only_money_words(text):
        return NOTHING
    marked = _MARKED.search(text)
    found = _RANGE.search(text, marked.end() if marked else 0)
    if found is None:
        return NOTHING
    low, high = _ends(found, text)
    hourly, fixed = bool(_HOURLY.search(text)), bool(_FIXED.search(text))
    return Money(low, high, currency, ranged=bool(found[3]), hourly=hourly, fixed=fixed)


def _ends(found: re.Match[str], text: str) -> tuple[Decimal | None, Decimal | None]:
    """The lower and upper end of a match of _RANGE."""
    first, size, last, last_size = found.groups()
    low = _written(first, size or (last_size if last and "." not in first else None))
    if last:
        high = _written(last, last_size)
        if low is None or high is None:
            return None, None
        return min(low, high), max(low, high)
    if _AT_MOST.search(text):
        return None, low
    return low, None if _AT_LEAST.search(text) else low


def _only_money_words(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.casefold().replace("á", "a").replace("é", "e"))
    return all(word in _WORDS for word in words)


def _written(digits: str, size: str | None) -> Decimal | None:
    """A number as written, `1,500.00`, `1.000`, `1,5`, `1 000`, with its multiple."""
    plain = re.sub(r"[' \u2019]", "", digits).rstrip(".,")
    comma, dot = plain.rfind(","), plain.rfind(".")
    if comma >= 0 and dot >= 0:
        decimal = "," if comma > dot else "."
        plain = plain.replace("." if decimal == "," else ",", "").replace(decimal, ".")
    elif comma >= 0:
        grouped = re.fullmatch(r"\d{1,3}(?:,\d{2,3})*,\d{3}", plain)
        plain = plain.replace(",", "" if grouped and not size else ".")
    elif dot >= 0 and not size and re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+", plain):
        plain = plain.replace(".", "")
    return _cents(plain, _MULTIPLES[(size or "").lower()])


def _cents(text: str, times: int = 1) -> Decimal | None:
    try:
        exact = Decimal(text) * times
    except InvalidOperation:
        return None
    if not exact.is_finite() or not 0 <= exact < TOO_MUCH - CENT:
        return None
    return abs(exact.quantize(CENT))

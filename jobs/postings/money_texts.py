"""Amounts of money in texts: `$1,500.00`, `$3-$8/hr`, `USD 1.000 - 3.000`, `500 bis 1.000 €`.

Nothing is invented: without a digit in the text there is no amount.
"""

import math
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from jobs.postings.currencies import MARK, currency_in

CENT: Final = Decimal("0.01")
TOO_MUCH: Final = Decimal(10) ** 10  # NUMERIC(12, 2) ends below it

_MULTIPLES: Final = {
    "": 1, "k": 1_000, "tsd": 1_000, "m": 1_000_000, "mn": 1_000_000, "mio": 1_000_000,
    "b": 1_000_000_000,
}  # fmt: skip

_AMOUNT: Final = (
    r"(\d+(?:[.,'\u2019]\d+|[ \xa0\u202f\u2009]\d{3}(?!\d))*)"
    r"(?:,-|,\u2013(?!\s*\d))?\s?([kmb](?![^\W\d_])|mn|mio|tsd)?\.?\+?"
)
_CODE: Final = r"(?-i:\b[A-Z]{3}\b)"
_TO: Final = (
    r"\s*(?:-|\u2010|\u2011|\u2212|\u2013|\u2014|~|\.\.+|\u2026|"
    r"\b(?:to|and|a|à|até|hasta|e|y|bis|und|et|au|do|до|i|max|تا|إلى|الى)\b)\s*"
)
_RANGE: Final = re.compile(
    rf"{_AMOUNT}(?:\s*(?:/|per)\s*h(?:ou)?r?)?(?:\s*(?:{MARK}|{_CODE}))?(?:\s*/\s*h(?:ou)?r?)?"
    rf"(?:{_TO}(?:{MARK}|{_CODE})?\s*{_AMOUNT})?",
    re.IGNORECASE,
)
_MARKED: Final = re.compile(rf"(?:{MARK}|\b[A-Z]{{3}})\s?(?=\d)")
_NUMBER: Final = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?", re.IGNORECASE)
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")  # text of thousands, never of cents
_NEGATIVE: Final = re.compile(r"(?:^|(?<!\d)(?<!\d )[$€£₹]|[:(])\s?[-\u2212]\s?(?:[$€£₹]\s?)?\d")
_AT_LEAST: Final = re.compile(
    r"\b(?:over|more than|above|at least|starting at|from|m[aá]s de|mais de|min|minimum|ab|"
    r"mindestens|desde|a partir de|a partir|à partir de|plus de|od|ponad|über|"
    r"от|від|من)\b|^\s*>|\d[kmb]?\+",
    re.IGNORECASE,
)
_AT_MOST: Final = re.compile(
    r"\b(?:less than|under|below|up to|at most|menos de|até|max|maximum|bis zu|bis|hasta|"
    r"jusqu'?à|moins de|unter|weniger als|do|до|poniżej|höchstens|maximal)\b|^\s*<|≤",
    re.IGNORECASE,
)
_HOURLY: Final = re.compile(
    r"\bhourly\b|(?:/|\bper|\ban|\bp)\s*h(?:our|r)?s?\b|\bhora\b|/\s*h\b|\bph\b|\bstunde\b|"
    r"/\s*std\b|\bstd\.|\bheure\b|\bgodzin\w+|\bgodz\b|час|ساعة",
    re.IGNORECASE,
)
_FIXED: Final = re.compile(
    r"\bfixed\b|\best\.?\s*budget\b|\bfestpreis\b|\bforfait\b|\bprecio fijo\b|\bpreço fixo\b",
    re.IGNORECASE,
)
# A wage by the day, week, month or year is neither kind of pay.
_WAGE: Final = re.compile(
    r"(?:/|\bper\b|\bpro\b|\bpar\b|\bpor\b|\ba\b|\bal\b)\s*(?:day|week|wk|month|mo|year|yr|annum|tag|woche|"
    r"monat|jahr|jour|semaine|mois|an|d[ií]a|dia|semana|m[eê]s|año|ano)\b|\b(?:daily|monthly|yearly|"
    r"p\.a\.|tjm|tagessatz)\b",
    re.IGNORECASE,
)
_AVERAGE: Final = re.compile(
    r"(?<![^\W\d_])avg\b|\baverage\b|\bpromedio\b|\bmédia\b|\bmoyenne\b|\bdurchschnitt",
    re.IGNORECASE,
)
_NO_PAY: Final = re.compile(f"{_AVERAGE.pattern}|{_WAGE.pattern}", re.IGNORECASE)
# Words that may stand beside an amount without a currency; others mean it is no money.
_WORDS: Final = frozenset(
    "budget est estimated amount hourly fixed price rate range per hour hours hr hrs h to a and "
    "max min up from less more than over under between at most least k m b e y ate hasta de mas "
    "mais menos hora spent total dollars dollar rupees euros only about around approx est bis und "
    "от до از تا من إلى الى تومان ریال ريال درهم جنيه "
    "zwischen von ab pro stunde std entre et heure jusqu moins plus od do zl godz godzine godzina "
    "euro kr rs gesamt fest festpreis precio preco prix fijo fixo fixe forfait por par la le de "
    "desde minimum maximum maximal mindestens ca circa ungefahr usd budgeted i na i mn mio tsd p "
    "ph monthly spend starting partir hourly price stundensatz hasta".split()
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


def money_in(text: str) -> Money:
    """The money a text names, NOTHING when there is none, or none to be believed."""
    if not any(map(str.isdigit, text)) or _NO_PAY.search(text) or _NEGATIVE.search(text):
        return NOTHING
    if _NUMBER.fullmatch(text) and not _GROUPED.fullmatch(text):
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
    low = _written(first, size)
    if last:
        high = _written(last, last_size)
        if last_size and not size and "." not in first:  # "1-5k", but not "500-1k"
            low = _no_more(_written(first, last_size), high) or low
        if low is None or high is None:
            return None, None
        return min(low, high), max(low, high)
    if _AT_MOST.search(text):
        return None, low
    return low, None if _AT_LEAST.search(text) else low


def _no_more(low: Decimal | None, high: Decimal | None) -> Decimal | None:
    return low if low is not None and high is not None and low <= high else None


def _only_money_words(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.casefold().replace("á", "a").replace("é", "e"))
    return all(word in _WORDS for word in words)


def _written(digits: str, size: str | None) -> Decimal | None:
    """A number as written, `1,500.00`, `1.000`, `1,5`, `1 000`, with its multiple."""
    plain = re.sub(r"[' \u2019\xa0\u202f\u2009]", "", digits).rstrip(".,")
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

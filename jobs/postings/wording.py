"""What sources call levels, kinds of job, yes and no, and counts of proposals.

Each function takes any JSON value, gives None for what it does not know, and never raises.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from accounts.vocabulary import JobType, Level

_LONGEST: Final = 200
MOST: Final = 2_000_000_000  # PostgreSQL's integer ends above it

# Upwork's tiers 1-3 and types 1-2 as its web client numbers them.
_LEVEL_NUMBERS: Final[dict[str, Level]] = {"1": "entry", "2": "intermediate", "3": "expert"}
_LEVELS: Final[dict[Level, str]] = {
    "entry": "entry beginner junior novice anfänger einsteiger débutant debutant principiante "
    "iniciante początkując principiant початк начальн новичок новач "
    "начинающ مبتدئ básico starter",
    "intermediate": "intermedi intermédi середн mittel średnio средний متوسط midlevel mid medior",
    "expert": "expert advanced senior experte expérimenté experto especialista avanzado avançado "
    "zaawansowan avanzato esperto експерт досвідчен профессионал "
    "ekspert эксперт خبير fortgeschritten",
}
_LEVEL_SIGNS: Final[dict[str, Level]] = {"$": "entry", "$$": "intermediate", "$$$": "expert"}
_LEVEL_WORDS: Final[dict[str, Level]] = {
    word: name for name, words in _LEVELS.items() for word in words.split()
}
_TYPE_NUMBERS: Final[dict[str, JobType]] = {"1": "fixed", "2": "hourly"}
_HOURLY: Final = re.compile(
    r"hourly|/\s*h(?:ou)?r?s?\b|\bper hour\b|\bby the hour\b|^(?:hour|hr|hrs)$|\bpor horas?\b|"
    r"^hora$|"
    r"stundenlohn|stundensatz|stundenbasis|pro stunde|stündlich|à l['\u2019]heure|horaire|godzinow|"
    r"godzin[ęe]|почасов|بالساعة|time (?:and|&) materials?|t&m"
)
_FIXED: Final = re.compile(
    r"fixed|\bfix\b|one-time (?:payment|price)|flat[ -](?:rate|fee|price)|festpreis|pauschal|"
    r"\bfijo\b|\bfixo\b|\bfixe\b|forfait|stała|ryczałt|фиксирован|سعر ثابت|مبلغ ثابت|lump sum|"
    r"\bper project\b|\bpor pro(?:jeto|yecto)\b|\bpro projekt\b"
)
_VERIFIED: Final = re.compile(r"(not(?:yet)?|un)?verified\b")
_FEWER: Final = re.compile(
    r"(?:less\s*than|fewer\s*than|under|<|меньше|менее|أقل من|少于|"
    r"menos de|weniger als|unter|moins de|mniej niż)"
    r"\s*(\d{1,9})",
    re.IGNORECASE,
)
_NUMBERS: Final = {
    "fifteen": "15", "twenty": "20", "fifty": "50", "five": "5", "ten": "10", "plus": "+",
}  # fmt: skip
_NUMBER_WORD: Final = re.compile("|".join(_NUMBERS), re.IGNORECASE)
# "Pago no verificado", "nicht verifiziert", "verified payment".
_CONFIRMED: Final = re.compile(
    r"(\b(?:not|no|não|nao|nicht|non|nie|не)\b[\s_]*)?\b(?:verified|verificad[oa]|verificat[oa]|"
    r"verifizierte?|vérifiée?|zweryfikowan[aeoy]|bestätigt|подтвержд[её]н\w*|موثق\w*)(?!\w)"
)
_YES: Final = frozenset(
    "true yes y 1 verified paymentverified paymentmethodverified sim sí si ja oui tak да نعم t on "
    "verifiziert verifizierte vérifié vérifiée verificado verificada zweryfikowany zweryfikowano "
    "zweryfikowana verificato pagoverificado pagamentoverificado zahlungverifiziert "
    "zahlungsmethodeverifiziert paiementvérifié métododepagoverificado ✓ ✔ ✅".split()
)
_NO: Final = frozenset(
    "false no n 0 notverified unverified paymentunverified paymentnotverified "
    "paymentmethodnotverified paymentmethodunverified não nein non nie нет لا f off "
    "nichtverifiziert nonvérifié noverificado nãoverificado niezweryfikowany "
    "niezweryfikowano ✗ ✘ ❌".split()
)


def level(value: object) -> Level | None:
    """The experience a job asks for, from words ("Expert ($$$)", "EntryLevel") or tiers 1-3."""
    text = short_text(value).casefold()
    if text in _LEVEL_NUMBERS or text in _LEVEL_SIGNS:
        return _LEVEL_NUMBERS.get(text) or _LEVEL_SIGNS[text]
    text = text.replace("średnio zaawansowan", "średnio")
    found = {name for word, name in _LEVEL_WORDS.items() if word in text}
    return found.pop() if len(found) == 1 else None


def job_type(value: object) -> JobType | None:
    """Hourly or fixed, from words ("Fixed-price", "Hourly: $5-$8") or Upwork's 1 and 2."""
    text = short_text(value).casefold().replace("_", " ")
    if text in _TYPE_NUMBERS:
        return _TYPE_NUMBERS[text]
    hourly = _HOURLY.search(text) is not None
    fixed = _FIXED.search(text) is not None
    if hourly == fixed:
        return None
    return "hourly" if hourly else "fixed"


def truth(value: object) -> bool | None:
    """Yes or no, from truth values, 1 and 0, and whole words such as `NOT_VERIFIED`."""
    if isinstance(value, bool):
        return value
    text = re.sub(r"[\s_.:-]", "", short_text(value).casefold())
    if text in _YES:
        return True
    if text in _NO:
        return False
    found = _VERIFIED.search(text) or _CONFIRMED.search(short_text(value).casefold())
    return not found[1] if found else None


def count(value: object) -> int | None:
    """A whole number from 0 up to 2 x 10^9: a number, or the first one in a short text."""
    if isinstance(value, float):
        return int(value) if 0 <= value <= MOST and value.is_integer() else None
    text = short_text(value).replace(",", "")
    found = re.match(r"[^\d-]*(\d{1,10})(?!\d|[.,]\d*[1-9])", text)
    return int(found[1]) if found and int(found[1]) <= MOST else None


def proposals(value: object) -> int | None:
    """How many applied, the upper end: "10 to 15" 15, "Less than 5" 4, "50+" 50, `lessThan5` 4."""
    if isinstance(value, Mapping):
        ends = (value.get(key) for key in ("max", "to", "high", "count", "total", "value"))
        return next((number for end in ends if (number := count(end)) is not None), None)
    if not isinstance(value, str):
        return count(value)
    text = re.sub(r"^[A-Za-z]\w*\.(?=[A-Za-z\d]+$)", "", short_text(value))
    if text.isascii() and text.isalpha():  # fiveToTen, TEN_TO_FIFTEEN
        text = _NUMBER_WORD.sub(lambda found: _NUMBERS[found[0].lower()], text)
    if found := _FEWER.search(text):
        return max(int(found[1]) - 1, 0)
    if found := re.search(
        r"\d{1,9}\s*(?:to|and|-|\u2013|\u2014|a|à|y|e|bis|und|do|до)\s*(\d{1,9})",
        text,
        re.IGNORECASE,
    ):
        return int(found[1])
    return count(text)


def ratio(value: object, most: int) -> Decimal | None:
    """A number from 0, with two decimals: a number, or the first one in a short text.

    Above `most` it is None.  "4,9" and "Rating is 5.0 out of 5." are read, negatives are not.
    """
    if isinstance(value, bool):
        return None
    text = short_text(value).replace(",", ".")
    found = re.match(r"[^\d-]*(\d{1,12}(?:\.\d{1,30})?)(?!\d|e[+-]?\d)", text)
    if found is None:
        return None
    exact = Decimal(found[1])
    return abs(exact.quantize(Decimal("0.01"))) if exact <= most else None


def percent(value: object) -> Decimal | None:
    """Percent, as "85%", 85 or 0.85; in a longer text the number before the percent sign."""
    text = short_text(value)
    if found := re.search(r"(\d{1,9}(?:[.,]\d{1,9})?)\s*%", text):
        return Decimal(found[1].replace(",", ".")).quantize(Decimal("0.01"))
    rate = ratio(value, 10**9)
    if rate is None or rate > 1 or not (found := re.match(r"0?\.\d{1,30}$", text)):
        return rate
    return (Decimal(found[0]) * 100).quantize(Decimal("0.01"))


def short_text(value: object) -> str:
    """The value as a short text; "" for what is none."""
    if isinstance(value, str):
        return value.strip() if len(value) <= _LONGEST else ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    return str(value) if -(10**15) < value < 10**15 else ""

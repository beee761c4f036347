"""Amounts of money as sources write them: numbers, texts, and objects around these."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jobs.postings.boxes import in_units, unboxed
from jobs.postings.currencies import currency_code
from jobs.postings.lexicon import plain
from jobs.postings.money_texts import NOTHING, Money, amount, money_in

__all__ = ["NOTHING", "Money", "amount", "money"]

_LONGEST: Final = 100
_LOWS: Final = (
    "min minvalue minimum minamount minusd minrate from low lower gte start rangestart".split()
)
_HIGHS: Final = (
    "max maxvalue maximum maxamount maxusd maxrate to high upper lte end rangeend".split()
)
_AMOUNTS: Final = (
    "rawvalue raw amount value number total displayvalue display formatted text label".split()
)
_CODE_KEYS: Final = (
    "currency currencycode isocurrencycode code iso currencysymbol symbol sign".split()
)
_UNITS: Final = "per unit unittext basis interval period frequency".split()
_HOUR: Final = re.compile(r"(?:per )?hour(?:ly)?|hr|h", re.IGNORECASE)
_OTHER_TIMES: Final = re.compile(
    r"(?:per )?(?:day|daily|week|weekly|month|monthly|year|yearly|annual|annum)", re.IGNORECASE
)
_CENTS: Final = frozenset(("cents", "cent", "minor", "centavos", "pence"))


def money(value: object) -> Money:
    """The money in a raw value; NOTHING when there is none, or none to be believed.

    Takes numbers, texts up to 100 characters and objects such as `{"rawValue": "5.0",
    "currency": "USD"}` or `{"min": 3, "max": 8}`.  Amounts are at or above 0, in cents, below
    10^10; a zero counts.  Never raises.
    """
    if isinstance(value, str):
        return money_in(value.strip()) if len(value) <= _LONGEST else NOTHING
    if isinstance(value, Mapping):
        return _of_object(value)
    if isinstance(value, list) and len(value) in (1, 2):
        ends = [money(one) for one in value if isinstance(one, str | int | float)]
        if len(value) == 2 == len(ends) and None not in (ends[0].lower, ends[1].upper):
            return replace(ends[0], low=ends[0].lower, high=ends[1].upper, ranged=True)
        return ends[0] if len(ends) == len(value) == 1 else NOTHING
    exact = amount(value)
    return Money(exact, exact)


def is_wage(unit: object) -> bool:
    """Whether a text names the time of a wage that is neither by the hour nor for the work."""
    return isinstance(unit, str) and _OTHER_TIMES.fullmatch(unit.strip()) is not None


def _of_object(value: Mapping[object, object], depth: int = 2) -> Money:
    if depth < 0:
        return NOTHING
    names = {plain(key): part for key, part in value.items() if isinstance(key, str)}
    codes = (unboxed(names.get(key)) for key in _CODE_KEYS)
    currency = next((code for raw in codes if (code := currency_code(raw))), None)
    if any(isinstance(unit := names.get(key), str) and unit in _CENTS for key in ("unit", "units")):
        names = {key: in_units(part) for key, part in names.items()}
    units = [unit for key in _UNITS if isinstance(unit := names.get(key), str)]
    if any(map(is_wage, units)):
        return NOTHING  # a wage by the day or month is neither kind of pay
    hourly = any(map(_HOUR.fullmatch, units))
    low, high = (_first_part(names, keys, depth) for keys in (_LOWS, _HIGHS))
    if low.upper is not None or high.upper is not None:
        currency = currency or low.currency or high.currency
        return Money(low.lower, high.upper, currency, ranged=True, hourly=hourly)
    found = _first_part(names, _AMOUNTS, depth)
    if found.upper is None:
        return found
    return replace(found, currency=currency or found.currency, hourly=hourly or found.hourly)


def _first_part(names: Mapping[str, object], keys: Sequence[str], depth: int) -> Money:
    """The first money under one of the keys."""
    for key in keys:
        part = names.get(key)
        found = _of_object(part, depth - 1) if isinstance(part, Mapping) else money(part)
        if found.upper is not None:
            return found
    return NOTHING

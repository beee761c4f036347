"""The European Central Bank's daily reference rates: read, and judged before they are believed.

Format: https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml, a `Cube` with `time` that
holds one `Cube` with `currency` and `rate` (units for one euro) each.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final
from xml.etree import ElementTree

from jobs.rates import RateTable

_MOST_CHANGE: Final = Decimal("0.3")
_CODE: Final = re.compile("[A-Z]{3}")
_DIGITS: Final = Decimal("0.0000000001")


class RatesError(ValueError):
    """A table that is not taken; the message says why."""


@dataclass(frozen=True, slots=True)
class DayOfRates:
    """The rates of one day: dollars for one unit of each currency, the dollar among them."""

    on: date
    usd: dict[str, Decimal]

    @property
    def table(self) -> RateTable:
        """As a table."""
        return RateTable.of(self.usd, self.on)


def read_ecb(body: bytes) -> DayOfRates:
    """The day and its rates, in dollars.  Raises RatesError for anything else."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise RatesError("It declares entities, as the bank's tables do not.")
    try:
        root = ElementTree.fromstring(body)  # noqa: S314 -- no entities, and of bounded size
    except ElementTree.ParseError:
        raise RatesError("It is not XML.") from None
    cubes = [element for element in root.iter() if element.tag.rpartition("}")[2] == "Cube"]
    days = [cube.get("time", "") for cube in cubes if cube.get("time")]
    if len(days) != 1:
        raise RatesError(f"It holds the rates of {len(days)} days, not of one.")
    per_euro = {
        cube.get("currency", ""): _rate(cube.get("rate", ""))
        for cube in cubes
        if cube.get("currency")
    }
    if not per_euro:
        raise RatesError("It holds no rates.")
    for code in per_euro:
        if not _CODE.fullmatch(code):
            raise RatesError(f"A currency has no sensible code: {code!r:.30}.")
    if "USD" not in per_euro:
        raise RatesError("It does not state the dollar.")
    return DayOfRates(_day(days[0]), _in_dollars(per_euro))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RatesError(f"Its day is no date: {text!r:.30}.") from None


def _rate(text: str) -> Decimal:
    try:
        rate = Decimal(text)
    except InvalidOperation:
        rate = Decimal(0)
    if not rate.is_finite() or not Decimal("0.0001") < rate < 10_000_000:
        raise RatesError(f"A rate is no sensible number: {text!r:.30}.")
    return rate


def _in_dollars(per_euro: dict[str, Decimal]) -> dict[str, Decimal]:
    dollar = per_euro["USD"]
    crossed = {code: (dollar / rate).quantize(_DIGITS) for code, rate in per_euro.items()}
    return {**crossed, "EUR": dollar, "USD": Decimal(1)}


def check_plausible(new: DayOfRates, now: RateTable, *, today: date) -> None:
    """Raise RatesError unless `new` may replace what is used now.

    It may not when it is of the future, or no newer than what is there, or when a rate is more
    than 30 % away from the one used: that is a slip far more often than a crash.
    """
    if new.on > today + timedelta(days=1):
        raise RatesError(f"It is dated {new.on}, and today is {today}.")
    euro = now.get("EUR")
    if euro is not None and new.on <= euro.on:
        raise RatesError(f"It is of {new.on}, and the rates used are of {euro.on} already.")
    for code, rate in sorted(new.usd.items()):
        before = now.get(code)
        if before is not None and abs(rate / before.usd - 1) > _MOST_CHANGE:
            raise RatesError(
                f"It makes one {code} ${rate.normalize():f}, and it was"
                f" ${before.usd.normalize():f} on {before.on}: a change of over 30 %."
            )

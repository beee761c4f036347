"""Money in other currencies, in US dollars by dated tables.

The table shipped with the project (rates.json) names the source of each of its parts; newer rates
come in by `manage.py refresh_rates` (`jobs.exchange`).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

SHIPPED: Final = Path(__file__).with_name("rates.json")


@dataclass(frozen=True, slots=True)
class Rate:
    """US dollars for one unit of a currency, and the day they hold for."""

    usd: Decimal
    on: date


@dataclass(frozen=True, slots=True)
class RateTable:
    """Rates by currency (ISO 4217); the dollar is 1 and always there."""

    rates: Mapping[str, Rate]

    @classmethod
    def of(cls, usd: Mapping[str, str | Decimal], on: date) -> Self:
        """The rates of one day, each in dollars for one unit."""
        return cls({code: Rate(Decimal(rate), on) for code, rate in usd.items()})

    def get(self, currency: str | None) -> Rate | None:
        """The rate of a currency; None where none is known."""
        return self.rates.get(currency or "")

    def with_newer(self, other: "RateTable") -> "RateTable":
        """Each currency at the later day of the two; ours where the day is the same."""
        found = dict(self.rates)
        for code, rate in other.rates.items():
            if code not in found or rate.on > found[code].on:
                found[code] = rate
        return RateTable(found)


@lru_cache(maxsize=1)
def shipped() -> RateTable:
    """The table in rates.json."""
    table = RateTable({})
    for part in json.loads(SHIPPED.read_text(encoding="utf-8"))["tables"]:
        table = table.with_newer(RateTable.of(part["usd"], date.fromisoformat(part["date"])))
    return table


def usd(amount: float | Decimal) -> str:
    """An amount of US dollars as people write it: `$35`, `$7.50`, `$1,500`."""
    exact = Decimal(str(amount)).quantize(Decimal("0.01"))
    return f"${exact:,.0f}" if exact == exact.to_integral_value() else f"${exact:,.2f}"

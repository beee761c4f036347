"""Money in other currencies, in US dollars by a small dated table."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

RATES_AS_OF: Final = "2026-01"
RATES_SOURCE: Final = (
    "approximate mid-market levels of early 2026, rounded by hand; good enough to hold a budget "
    "against a floor, not for accounting"
)

# US dollars for one unit of the currency (ISO 4217).
USD_RATES: Final[Mapping[str, Decimal]] = {
    code: Decimal(rate)
    for code, rate in {
        "USD": "1",
        "EUR": "1.17",
        "GBP": "1.34",
        "CAD": "0.72",
        "AUD": "0.66",
        "NZD": "0.58",
        "INR": "0.0111",
        "SGD": "0.78",
        "HKD": "0.128",
        "CHF": "1.25",
        "JPY": "0.0064",
        "BRL": "0.18",
        "MXN": "0.055",
        "SEK": "0.107",
        "NOK": "0.099",
        "DKK": "0.157",
        "PLN": "0.277",
        "CZK": "0.048",
        "HUF": "0.0030",
        "RON": "0.23",
        "UAH": "0.0237",
        "TRY": "0.0233",
        "ILS": "0.31",
        "AED": "0.2723",
        "SAR": "0.2667",
        "EGP": "0.021",
        "ZAR": "0.060",
        "NGN": "0.00069",
        "KES": "0.0077",
        "PKR": "0.00357",
        "BDT": "0.0082",
        "PHP": "0.017",
        "IDR": "0.00006",
        "MYR": "0.245",
        "THB": "0.0317",
        "VND": "0.000038",
        "KRW": "0.00068",
        "CNY": "0.143",
        "TWD": "0.0317",
        "ARS": "0.00068",
        "CLP": "0.0011",
        "COP": "0.00026",
        "PEN": "0.297",
    }.items()
}


def usd(amount: float | Decimal) -> str:
    """An amount of US dollars as people write it: `$35`, `$7.50`, `$1,500`."""
    exact = Decimal(str(amount)).quantize(Decimal("0.01"))
    return f"${exact:,.0f}" if exact == exact.to_integral_value() else f"${exact:,.2f}"

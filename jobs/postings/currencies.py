"""Currencies by their ISO 4217 code or their sign."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from babel.core import get_global

# A sign, as part of a regular expression.
MARK: Final = (
    r"(?:[A-Za-z]{0,2}\$|[€£₹₽₴₦₱₪₺₫₩¥₸฿₾₼₡₲₵]|z[łl]\b|\b(?:Rp|RM|TL)(?![^\W\d_])|K[čc]\b|[元円원])"
)

_SYMBOLS: Final = {
    "us$": "USD", "ca$": "CAD", "c$": "CAD", "au$": "AUD", "a$": "AUD", "nz$": "NZD", "hk$": "HKD",
    "sg$": "SGD", "s$": "SGD", "r$": "BRL", "mx$": "MXN", "$": "USD", "€": "EUR", "£": "GBP",
    "₹": "INR", "₽": "RUB", "₴": "UAH", "₦": "NGN", "₱": "PHP", "₪": "ILS", "₺": "TRY", "₫": "VND",
    "₩": "KRW", "¥": "JPY", "jp¥": "JPY", "cn¥": "CNY", "₸": "KZT", "฿": "THB", "₾": "GEL",
    "₼": "AZN", "₡": "CRC", "₲": "PYG", "₵": "GHS", "zł": "PLN", "zl": "PLN", "rp": "IDR",
    "rm": "MYR", "kč": "CZK", "kc": "CZK", "nt$": "TWD", "tl": "TRY",
    "元": "CNY", "円": "JPY", "원": "KRW",
}  # fmt: skip
_LONGEST: Final = 100
# Words for one currency alone; a dollar or a pound without a country is the common one.
_NAMES: Final = {
    "dollar": "USD", "dollars": "USD", "dolares": "USD", "dolar": "USD", "dollari": "USD",
    "euro": "EUR", "euros": "EUR", "pounds": "GBP", "sterling": "GBP", "rupees": "INR",
    "reais": "BRL", "zloty": "PLN", "zlotych": "PLN", "دولار": "USD", "долларов": "USD",
    "рубля": "RUB", "р": "RUB", "гривень": "UAH", "гривен": "UAH", "рублей": "RUB", "руб": "RUB",
    "грн": "UAH",
}  # fmt: skip
# The dollars of others, told by the word before.
_DOLLARS: Final = {
    "australian": "AUD", "canadian": "CAD", "zealand": "NZD", "singapore": "SGD", "kong": "HKD",
}  # fmt: skip
_CODE_KEYS: Final = (
    "code isoCode iso_code iso currencyCode currency_code isoCurrencyCode symbol sign name"
).split()
_CODES: Final = re.compile(r"\b[A-Za-z]{3}\b", re.ASCII)
_SYMBOL: Final = re.compile(MARK)


def currency_code(value: object) -> str | None:
    """The ISO 4217 code a currency's code, symbol or object of these stands for, else None."""
    if isinstance(value, Mapping):
        names = (value.get(key) for key in _CODE_KEYS)
        return next((code for name in names if (code := currency_code(name))), None)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None
    text = value.strip()
    if text.upper() in _currencies():
        return text.upper()
    return _SYMBOLS.get(text.lower()) or currency_in(text)


def currency_in(text: str) -> str | None:
    """The currency a text names; a code such as CAD weighs more than `$`."""
    for code in _CODES.findall(text):
        if code.upper() in _currencies() and code.isupper():
            return str(code)
    if found := _SYMBOL.search(text):
        return _SYMBOLS.get(found[0].lower(), _SYMBOLS.get(found[0][-1].lower()))
    words = re.findall(r"[^\W\d_]+", text.casefold().replace("ó", "o").replace("ł", "l"))
    code = next((_NAMES[word] for word in words if word in _NAMES), None)
    others = (_DOLLARS[word] for word in words if word in _DOLLARS)
    return next(others, code) if code == "USD" else code


@lru_cache(maxsize=1)
def _currencies() -> frozenset[str]:
    """The ISO 4217 codes in CLDR."""
    return frozenset(get_global("all_currencies"))

"""What a call costs, to a millionth of a US dollar."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Final

_MICRO: Final = Decimal("0.000001")
_MILLION: Final = Decimal(1_000_000)
_MOST: Final = Decimal(1_000)


class PriceError(ValueError):
    """A price that cannot be read; the message says which, in a sentence."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, read and written."""

    tokens_in: Decimal
    tokens_out: Decimal

    def cost(self, tokens_in: int, tokens_out: int) -> Decimal:
        """US dollars for so many tokens, rounded up to a millionth."""
        exact = (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / _MILLION
        return exact.quantize(_MICRO, ROUND_CEILING)


def price_of(said: str) -> Price:
    """The price written as IN/OUT, such as 0.15/0.60.  Raises PriceError."""
    try:
        one, other = (Decimal(part.strip()) for part in said.split("/"))
    except (ValueError, InvalidOperation):
        raise PriceError(f"{said!r} is no price; write one such as 0.15/0.60.") from None
    if not all(price.is_finite() and 0 <= price <= _MOST for price in (one, other)):
        raise PriceError(f"{said!r} is no price between 0 and {_MOST} US$.")
    return Price(one, other)


def prices_of(said: Sequence[str]) -> Mapping[str, Price]:
    """The prices written as NAME=IN/OUT, by the model's name.  Raises PriceError."""
    found = {}
    for entry in filter(str.strip, said):
        name, equals, price = entry.strip().rpartition("=")
        if not equals or not name.strip():
            raise PriceError(f"{entry!r} names no model; write NAME=IN/OUT.")
        found[name.strip()] = price_of(price)
    return found


def shares(cost: Decimal, parts: int) -> list[Decimal]:
    """A cost in so many parts, each to a millionth; they add up to it exactly."""
    micros, left = divmod(int(cost / _MICRO), parts)
    return [_MICRO * (micros + (place < left)) for place in range(parts)]


def counts(tokens: int, parts: int) -> list[int]:
    """A number of tokens in so many parts, which add up to it."""
    each, left = divmod(tokens, parts)
    return [each + (place < left) for place in range(parts)]

"""The scorer of the settings: which model, at what price, within which limits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from jobs.ai.budget import Limits
from jobs.ai.naming import Model, model_of
from jobs.ai.pricing import Price, price_of, prices_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """All that a call needs to be made and paid for; `seconds` a call, `gate` the local score from
    which a model is asked, `knows_price` whether the price is the model's own."""

    model: Model
    key: str = field(repr=False)
    price: Price
    knows_price: bool
    limits: Limits
    gate: int
    seconds: float


class ScorerError(ValueError):
    """The settings name no scorer that could be asked; the message says what to correct."""


_MOST_USD: Final = 100_000
_UNPAID: Final = "{scorer} needs a key: set {key}."


def scorer_of(
    said: str,
    *,
    keys: dict[str, str],
    prices: Sequence[str],
    ceiling: str,
    daily: Decimal,
    user_daily: Decimal,
    gate: int,
    seconds: float,
) -> Scorer | None:
    """The scorer, or None when only local scores are wanted.

    `keys` by their names in the environment; a provider's own address needs one.  Raises
    NamingError, PriceError and ScorerError, each with a sentence.
    """
    model = model_of(said)
    if model is None:
        return None
    key = keys.get(model.key_name, "")
    if model.at_home and not key:
        raise ScorerError(_UNPAID.format(scorer=model.scorer, key=model.key_name))
    if not key.isascii() or not key.isprintable():
        raise ScorerError(f"{model.key_name} holds characters that no key has.")
    if not all(usd.is_finite() and 0 <= usd <= _MOST_USD for usd in (daily, user_daily)):
        raise ScorerError(f"A budget is no number between 0 and {_MOST_USD:,} US$.")
    known, most = prices_of(prices), price_of(ceiling)
    return Scorer(
        model=model,
        key=key,
        price=known.get(model.name, most),
        knows_price=model.name in known,
        limits=Limits(daily=daily, user_daily=user_daily),
        gate=gate,
        seconds=seconds,
    )

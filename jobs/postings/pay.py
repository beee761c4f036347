"""What a job pays, from all the places a row may say it."""

from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from accounts.vocabulary import JobType
from jobs.postings.boxes import unboxed
from jobs.postings.currencies import currency_code
from jobs.postings.fields import Facts, each, first
from jobs.postings.money import NOTHING, Money, is_wage, money
from jobs.postings.wording import job_type, truth


@dataclass(frozen=True, slots=True)
class Pay:
    """A job's kind and money; zero and "not stated" are both None."""

    job_type: JobType | None
    hourly_min: Decimal | None
    hourly_max: Decimal | None
    fixed_budget: Decimal | None
    currency: str | None


def pay(stated: Facts, market: str) -> Pay:
    """The kind of job, its rate or budget and their currency, as the facts state them.

    Zero is "not stated", an hourly rate alone is the lower bound, a budget is its range's upper
    end.  Where the kind is stated, money of the other kind is dropped; where it is not, the money
    tells it.  Upwork pays in US dollars unless a code we do not know is named; elsewhere a
    currency must be stated.
    """
    kind = _kind(stated)
    if kind is None and any(map(is_wage, each(stated, "job_type"))):
        return Pay(None, None, None, None, None)
    rate, budget = _rate(stated), _money_in(stated, "fixed")
    loose = _ends(stated) or _loose(stated)
    if loose is not NOTHING:
        if loose.hourly or (kind == "hourly" and not loose.fixed):
            rate = rate if _is_positive(rate) else _as_rate(loose)
        elif not _is_positive(budget):
            budget = loose
    rate = rate if kind != "fixed" else NOTHING
    budget = budget if kind != "hourly" else NOTHING
    low, high, fixed = (_positive(end) for end in (rate.low, rate.high, budget.upper))
    if low and high and low > high:
        low, high = high, low
    return Pay(
        job_type=kind or _kind_of_money(low or high, fixed),
        hourly_min=low,
        hourly_max=high,
        fixed_budget=fixed,
        currency=_currency(stated, market, rate, budget) if low or high or fixed else None,
    )


def _kind(stated: Facts) -> JobType | None:
    kind: JobType | None = first(stated, "job_type", job_type)
    if kind:
        return kind
    for name, yes, no in (("is_hourly", "hourly", "fixed"), ("is_fixed", "fixed", "hourly")):
        answer = first(stated, name, _answer)
        if answer is not None:
            return cast("JobType", yes if answer else no)
    return None


def _answer(value: object) -> bool | None:
    """Yes or no; 1 and 0 may as well be money."""
    is_word = isinstance(value, str) and value.strip()[:1].isalpha()
    return truth(value) if isinstance(value, bool) or is_word else None


def _kind_of_money(rate: Decimal | None, budget: Decimal | None) -> JobType | None:
    if bool(rate) == bool(budget):
        return None
    return "hourly" if rate else "fixed"


def _rate(stated: Facts) -> Money:
    """The hourly rate from its two bounds, else from one text."""
    low, high = _money_in(stated, "hourly_min"), _money_in(stated, "hourly_max")
    if _is_positive(low) or _is_positive(high):
        return Money(low.lower, high.upper, low.currency or high.currency)
    return _as_rate(_money_in(stated, "hourly"))


def _as_rate(found: Money) -> Money:
    """A rate alone is what is paid at least."""
    if found.ranged or found.low is None:
        return found
    return Money(found.low, None, found.currency)


def _ends(stated: Facts) -> Money | None:
    """A lower and an upper end under keys that do not say their kind."""
    low, high = _money_in(stated, "least"), _money_in(stated, "most")
    if not (_is_positive(low) or _is_positive(high)):
        return None
    hourly = low.hourly or high.hourly
    return Money(low.lower, high.upper, low.currency or high.currency, ranged=True, hourly=hourly)


def _loose(stated: Facts) -> Money:
    """Money under a key that does not say its kind, or inside the text that names the kind."""
    found = _money_in(stated, "budget")
    if _is_positive(found):
        return found
    texts = (money(value) for value in each(stated, "job_type") if isinstance(value, str))
    return next((text for text in texts if text.currency and _is_positive(text)), NOTHING)


def _money_in(stated: Facts, field: str) -> Money:
    """The field's first positive money."""
    found = (money(form) for value in each(stated, field) for form in (value, unboxed(value)))
    return next(filter(_is_positive, found), NOTHING)


def _currency(stated: Facts, market: str, *sources: Money) -> str | None:
    if code := first(stated, "currency", currency_code):
        return code
    found = next((source.currency for source in sources if source.currency), None)
    named = any(isinstance(v, str) and len(v.strip()) == 3 for v in each(stated, "currency"))
    return found or ("USD" if market == "upwork" and not named else None)


def _is_positive(found: Money) -> bool:
    return bool(found.upper)


def _positive(exact: Decimal | None) -> Decimal | None:
    return exact or None

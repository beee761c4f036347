"""Which fields of a row held a value that could not be read: what makes it half-understood."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from jobs.postings.boxes import unboxed
from jobs.postings.fields import each, facts
from jobs.postings.posting import Posting

_Read = Callable[[Posting], object]

_MONEY: Final = ("hourly", "hourly_min", "hourly_max", "fixed", "least", "most", "budget")
# What a person calls the field; where rows state it; what was read of it.
_FIELDS: Final[tuple[tuple[str, tuple[str, ...], _Read], ...]] = (
    (
        "pay",
        _MONEY,
        lambda p: (p.hourly_min, p.hourly_max, p.fixed_budget),
    ),
    ("level", ("level",), lambda p: p.experience_level),
    ("duration", ("duration",), lambda p: p.duration),
    ("client's country", ("country",), lambda p: p.client_country),
    ("client's spending", ("spent",), lambda p: p.client_spent),
    ("client's hires", ("hires",), lambda p: p.client_hires),
    ("client's rating", ("rating",), lambda p: p.client_rating),
    ("client's verification", ("verified",), lambda p: p.client_payment_verified),
    ("proposals", ("proposals",), lambda p: p.proposals),
    ("date", ("posted_at", "posted_ago"), lambda p: p.posted_at),
)


def unread(raw: object, posting: Posting) -> tuple[str, ...]:
    """The fields that the row states, in words or numbers, and that the posting made of it lacks.

    A zero, which means absent, states nothing; nor does a mere sign.  Never quotes the row.
    """
    if not isinstance(raw, Mapping):
        return ()
    stated = facts(raw)
    return tuple(
        name
        for name, places, read in _FIELDS
        if _nothing(read(posting)) and any(_says(stated, place) for place in places)
    )


def _nothing(read: object) -> bool:
    return all(value is None for value in read) if isinstance(read, tuple) else read is None


def _says(stated: Mapping[str, tuple[object, ...]], place: str) -> bool:
    """Whether the most telling value there says something."""
    for value in each(stated, place):
        inner = unboxed(value)
        if isinstance(inner, str):
            text = inner.strip()
            counts = str.isdigit if place in _MONEY else str.isalnum  # "Hourly" states no pay
            return any(map(counts, text)) and bool(text.strip("0.,%$€£ "))
        if isinstance(inner, int | float | Decimal) and not isinstance(inner, bool):
            return bool(inner)
    return False

"""Values of postings as entries of columns: numbers, small codes, times."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.postings.posting import Posting
from jobs.rates import Rate
from jobs.text.detecting import same_language
from jobs.text.placeholders import LEAST_TOLD, is_meant, is_tiny
from jobs.text.words import fold

Floats = NDArray[np.float64]
Codes = NDArray[np.int16]
Times = NDArray[np.datetime64]
Bools = NDArray[np.bool_]

UNKNOWN: Final = -1
PAIRS: Final = 26 * 26  # of letters: as many as there are country codes and language codes


def numbers(values: Sequence[Decimal | float | None]) -> Floats:
    """The values as floats, nan for None."""
    return np.array([np.nan if v is None else float(v) for v in values], dtype=np.float64)


def code_of(values: Sequence[str]) -> Callable[[str | None], int]:
    """A function from one of `values` to its place among them, UNKNOWN for anything else."""
    places = {value: place for place, value in enumerate(values)}
    return lambda value: UNKNOWN if value is None else places.get(value, UNKNOWN)


def country_code(country: str | None) -> int:
    """ISO 3166 alpha-2 letters as one small number; UNKNOWN when not two ASCII letters."""
    if country is None or len(country) != 2 or not (country.isascii() and country.isalpha()):
        return UNKNOWN
    letters = country.upper().encode()
    return (letters[0] - 65) * 26 + letters[1] - 65


def language_place(code: str) -> int:
    """A language (ISO 639-1) as one small number, the same for those not told apart."""
    return country_code(same_language(code))


def is_placeholder(posting: Posting, rate: Rate | None) -> bool:
    """Whether the fixed budget stands for no number; texts are folded only where it is tiny."""
    if not is_tiny(posting.fixed_budget, rate) or posting.experience_level == "entry":
        return False
    if len(posting.description) < LEAST_TOLD:
        return False
    return not is_meant(fold(f"{posting.title}\n{posting.description}"))


def moment(when: datetime) -> np.datetime64:
    """An aware time as numpy's UTC seconds."""
    return np.datetime64(when.astimezone(UTC).replace(tzinfo=None), "s")


def kind_of(posting: Posting) -> str | None:
    """Hourly or fixed; told from the money where the post does not say."""
    if posting.job_type is not None:
        return posting.job_type
    if posting.hourly_min is not None or posting.hourly_max is not None:
        return "hourly"
    return "fixed" if posting.fixed_budget is not None else None

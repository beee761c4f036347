"""Many postings as columns, so that one operation judges all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from accounts.vocabulary import DURATIONS, JOB_TYPES, LEVELS
from jobs.postings.posting import Posting
from jobs.rates import USD_RATES
from jobs.text.lexical import Lexical
from jobs.text.prepared import Prepared, prepare_post
from jobs.text.signs import Signs
from jobs.text.words import fold

Floats = NDArray[np.float64]
Codes = NDArray[np.int16]
Times = NDArray[np.datetime64]

UNKNOWN: Final = -1
_RATES: Final = {code: float(rate) for code, rate in USD_RATES.items()}


def _numbers(values: Sequence[Decimal | float | None]) -> Floats:
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


def moment(when: datetime) -> np.datetime64:
    """An aware time as numpy's UTC seconds."""
    return np.datetime64(when.astimezone(UTC).replace(tzinfo=None), "s")


def _kind(posting: Posting) -> str | None:
    """Hourly or fixed; told from the money where the post does not say."""
    if posting.job_type is not None:
        return posting.job_type
    if posting.hourly_min is not None or posting.hourly_max is not None:
        return "hourly"
    return "fixed" if posting.fixed_budget is not None else None


@dataclass(frozen=True)
class JobTable:
    """J postings as columns of length J.

    Money is in US dollars, nan where not stated or in an unknown currency; `hourly` is the top
    of the range, or its bottom when only that is stated.  `kind`, `level`, `duration` are places
    in the vocabulary, `verified` 1 or 0, `country` a `country_code`; UNKNOWN is "not stated".
    No stars is a client not rated yet, nan.  `posted` is NaT where not stated; times are UTC.
    """

    postings: tuple[Posting, ...]
    kind: Codes
    hourly: Floats
    budget: Floats
    level: Codes
    duration: Codes
    country: Codes
    verified: Codes
    spent: Floats
    hires: Floats
    hire_rate: Floats
    rating: Floats
    proposals: Floats
    posted: Times
    seen: Times

    @classmethod
    def of(cls, postings: Sequence[Posting], seen_at: Sequence[datetime]) -> "JobTable":
        """The table of `postings`, each first seen at the aware time at the same place."""
        if len(postings) != len(seen_at):
            raise ValueError(f"{len(postings)} postings, but {len(seen_at)} times seen")
        usd = np.array([_RATES.get(p.currency or "", np.nan) for p in postings], dtype=np.float64)
        tops = [p.hourly_min if p.hourly_max is None else p.hourly_max for p in postings]

        def codes(code: Callable[[str | None], int], values: Sequence[str | None]) -> Codes:
            return np.array([code(value) for value in values], dtype=np.int16)

        return cls(
            postings=tuple(postings),
            kind=codes(code_of(JOB_TYPES), [_kind(p) for p in postings]),
            hourly=_numbers(tops) * usd,
            budget=_numbers([p.fixed_budget for p in postings]) * usd,
            level=codes(code_of(LEVELS), [p.experience_level for p in postings]),
            duration=codes(code_of(DURATIONS), [p.duration for p in postings]),
            country=codes(country_code, [p.client_country for p in postings]),
            verified=np.array(
                [-1 if (v := p.client_payment_verified) is None else v for p in postings], np.int16
            ),
            spent=_numbers([p.client_spent for p in postings]),
            hires=_numbers([p.client_hires for p in postings]),
            hire_rate=_numbers([p.client_hire_rate for p in postings]),
            rating=_numbers([p.client_rating or None for p in postings]),
            proposals=_numbers([p.proposals for p in postings]),
            posted=np.array(
                [p.posted_at and moment(p.posted_at) for p in postings], dtype="datetime64[s]"
            ),
            seen=np.array([moment(when) for when in seen_at], dtype="datetime64[s]"),
        )

    def __len__(self) -> int:
        return len(self.postings)

    def row(self, j: int) -> "JobTable":
        """The table of the one posting at place `j`."""
        return self.take([range(len(self))[j]])

    def take(self, places: Sequence[int]) -> "JobTable":
        """The table of the postings at these places, in this order; what was folded stays so."""
        chosen = np.asarray(places, dtype=np.intp)
        columns: dict[str, Any] = {
            name: tuple(self.postings[j] for j in places) if name == "postings" else column[chosen]
            for name, column in vars(self).items()
            if name in self.__dataclass_fields__
        }
        taken = JobTable(**columns)
        for name in ("titles", "tags", "bodies", "texts"):
            if name in vars(self):
                vars(taken)[name] = tuple(vars(self)[name][j] for j in places)
        return taken

    @cached_property
    def titles(self) -> tuple[str, ...]:
        """The folded titles."""
        return tuple(fold(p.title) for p in self.postings)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The folded skills of each posting, one a line: no phrase crosses two of them."""
        return tuple("\n".join(map(fold, p.skills)) for p in self.postings)

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The folded descriptions."""
        return tuple(fold(p.description) for p in self.postings)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Title, skills and description together, folded, one a line."""
        return tuple(map("\n".join, zip(self.titles, self.tags, self.bodies, strict=True)))

    @cached_property
    def prepared(self) -> Prepared:
        """What scoring needs of the words."""
        return Prepared.of([*map(prepare_post, self.titles, self.tags, self.bodies)])

    @cached_property
    def lexical(self) -> Lexical:
        """The stems of the texts, weighted."""
        return Lexical.of(self.prepared)

    @cached_property
    def signs(self) -> Signs:
        """What the texts show about themselves."""
        return Signs.of(self.prepared.headers)

"""Many postings as columns, so that one operation judges all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from accounts.vocabulary import CATEGORIES, DURATIONS, JOB_TYPES, LEVELS
from jobs.columns import (
    Bools,
    Codes,
    Floats,
    Times,
    code_of,
    country_code,
    is_placeholder,
    kind_of,
    moment,
    numbers,
)
from jobs.postings.posting import Posting
from jobs.rates import RateTable, shipped
from jobs.table_texts import OF_EACH, Texts


@dataclass(frozen=True)
class JobTable(Texts):
    """J postings as columns of length J.

    Money is in US dollars, nan where not stated or in an unknown currency; `hourly` is the top
    of the range, or its bottom when only that is stated.  `kind`, `level`, `duration` are places
    in the vocabulary, `verified` 1 or 0, `country` a `country_code`; UNKNOWN is "not stated".
    No stars is a client not rated yet, nan.  `posted` is NaT where not stated; times are UTC.
    `budget` is nan, too, where it is a `placeholder`.  `rated_on` is the day of the exchange rate
    used, NaT where none was.
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
    category: Codes
    placeholder: Bools
    rated_on: Times
    posted: Times
    seen: Times
    ready: tuple[bytes | None, ...]

    @classmethod
    def of(
        cls,
        postings: Sequence[Posting],
        seen_at: Sequence[datetime],
        rates: RateTable | None = None,
        ready: Sequence[bytes | None] | None = None,
    ) -> "JobTable":
        """The table of `postings`, each first seen at the aware time at the same place.

        Money is converted by `rates`, the shipped ones by default.  `ready` holds what was made of
        each one's words before (jobs/text/prepared.py), where it was.
        """
        if len(postings) != len(seen_at):
            raise ValueError(f"{len(postings)} postings, but {len(seen_at)} times seen")
        rate_of = (rates or shipped()).get
        found = [rate_of(p.currency) for p in postings]
        usd = np.array([np.nan if rate is None else float(rate.usd) for rate in found], np.float64)
        days = [
            rate.on if rate and p.currency != "USD" else None
            for p, rate in zip(postings, found, strict=True)
        ]
        nothing = [is_placeholder(p, rate) for p, rate in zip(postings, found, strict=True)]
        placeholder = np.array(nothing, dtype=np.bool_)
        budget = numbers([p.fixed_budget for p in postings]) * usd
        tops = [p.hourly_min if p.hourly_max is None else p.hourly_max for p in postings]

        def codes(code: Callable[[str | None], int], values: Sequence[str | None]) -> Codes:
            return np.array([code(value) for value in values], dtype=np.int16)

        return cls(
            postings=tuple(postings),
            kind=codes(code_of(JOB_TYPES), [kind_of(p) for p in postings]),
            hourly=numbers(tops) * usd,
            budget=np.where(placeholder, np.nan, budget),
            level=codes(code_of(LEVELS), [p.experience_level for p in postings]),
            duration=codes(code_of(DURATIONS), [p.duration for p in postings]),
            country=codes(country_code, [p.client_country for p in postings]),
            verified=np.array(
                [-1 if (v := p.client_payment_verified) is None else v for p in postings], np.int16
            ),
            spent=numbers([p.client_spent for p in postings]),
            hires=numbers([p.client_hires for p in postings]),
            hire_rate=numbers([p.client_hire_rate for p in postings]),
            rating=numbers([p.client_rating or None for p in postings]),
            proposals=numbers([p.proposals for p in postings]),
            category=codes(code_of(tuple(CATEGORIES)), [p.category for p in postings]),
            placeholder=placeholder,
            rated_on=np.array(days, dtype="datetime64[D]"),
            posted=np.array(
                [p.posted_at and moment(p.posted_at) for p in postings], dtype="datetime64[s]"
            ),
            seen=np.array([moment(when) for when in seen_at], dtype="datetime64[s]"),
            ready=tuple(ready or (None,) * len(postings)),
        )

    def row(self, j: int) -> "JobTable":
        """The table of the one posting at place `j`."""
        return self.take([range(len(self))[j]])

    def take(self, places: Sequence[int]) -> "JobTable":
        """The table of the postings at these places, in this order; what was folded stays so."""
        chosen = np.asarray(places, dtype=np.intp)
        columns: dict[str, Any] = {
            name: tuple(column[j] for j in places) if isinstance(column, tuple) else column[chosen]
            for name, column in vars(self).items()
            if name in self.__dataclass_fields__
        }
        taken = JobTable(**columns)
        for name in OF_EACH:
            if name in vars(self):
                vars(taken)[name] = tuple(vars(self)[name][j] for j in places)
        if "workers" in vars(self):
            vars(taken)["workers"] = self.workers[chosen]
        return taken

    def join(self, other: "JobTable") -> "JobTable":
        """The postings of both, ours first; what was folded of both stays so."""
        columns: dict[str, Any] = {
            name: (*mine, *theirs) if isinstance(mine, tuple) else np.concatenate([mine, theirs])
            for name in self.__dataclass_fields__
            for mine, theirs in [(getattr(self, name), getattr(other, name))]
        }
        joined = JobTable(**columns)
        for name in OF_EACH:
            vars(joined)[name] = (*getattr(self, name), *getattr(other, name))
        return joined

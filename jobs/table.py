"""Many postings as columns, so that one operation judges all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np

from accounts.vocabulary import CATEGORIES, DURATIONS, JOB_TYPES, LEVELS
from jobs.columns import (
    PAIRS,
    Bools,
    Codes,
    Floats,
    Times,
    code_of,
    country_code,
    is_placeholder,
    kind_of,
    language_place,
    moment,
    numbers,
)
from jobs.postings.posting import Posting
from jobs.rates import RateTable, shipped
from jobs.text.detecting import written_in
from jobs.text.lexical import Lexical
from jobs.text.places import worker_places
from jobs.text.prepared import Prepared, is_current, prepare_post
from jobs.text.signs import LanguageMasks, Signs
from jobs.text.tongues import written_mask
from jobs.text.words import fold


@dataclass(frozen=True)
class JobTable:
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

    def __len__(self) -> int:
        return len(self.postings)

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
        for name in ("titles", "tags", "bodies", "texts", "languages"):
            if name in vars(self):
                vars(taken)[name] = tuple(vars(self)[name][j] for j in places)
        if "workers" in vars(self):
            vars(taken)["workers"] = self.workers[chosen]
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
        texts = zip(self.titles, self.tags, self.bodies, strict=True)
        rows = zip(self.ready, texts, strict=True)
        return Prepared.of([row if is_current(row) else prepare_post(*text) for row, text in rows])

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The language each post is written in, ISO 639-1; "" where it cannot be told."""
        return tuple(
            written_in(p.title, p.description) if p.language is None else p.language
            for p in self.postings
        )

    @cached_property
    def language(self) -> Codes:
        """The languages as `language_place`s; UNKNOWN where one cannot be told."""
        return np.array([language_place(code) for code in self.languages], dtype=np.int16)

    @cached_property
    def written(self) -> LanguageMasks:
        """The languages as LANGUAGE_MASKS, nothing for English and where it cannot be told."""
        return np.array([written_mask(code) for code in self.languages], dtype=np.uint64)

    @cached_property
    def workers(self) -> Bools:
        """J by country (`country_code`): where alone the worker may be; all False: not stated.

        What the source has a field for counts before what the text says.
        """
        allowed = np.zeros((len(self), PAIRS), dtype=np.bool_)
        for j, p in enumerate(self.postings):
            stated = p.worker_countries or worker_places(p.title, p.description)
            allowed[j, [country_code(country) for country in stated]] = True
        return allowed

    @cached_property
    def lexical(self) -> Lexical:
        """The stems of the texts, weighted."""
        return Lexical.of(self.prepared)

    @cached_property
    def signs(self) -> Signs:
        """What the texts show about themselves."""
        return Signs.of(self.prepared.headers)

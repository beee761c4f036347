"""What a person wants, as plain values: no database, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from decimal import Decimal
from typing import Any

from accounts.vocabulary import DEFAULT_MIN_SCORE, JOB_TYPES, Duration, JobType, Level, Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTerms:
    """One description of wanted work and its filters.

    Money is in US dollars (hourly: a rate; fixed: the whole budget), rates of hire in percent
    0-100, ratings in stars 0-5, countries as ISO 3166 alpha-2, languages as ISO 639-1.
    An empty list, empty text or None means "any".  `strict` names the filters that drop a
    posting which does not state the value; by default "not stated" passes.
    """

    name: str = "My search"
    active: bool = True
    headline: str = ""
    about: str = ""
    wants: str = ""
    skills: tuple[str, ...] = ()
    words_any: tuple[str, ...] = ()
    words_all: tuple[str, ...] = ()
    words_none: tuple[str, ...] = ()
    job_types: tuple[JobType, ...] = JOB_TYPES
    min_hourly: Decimal | None = None
    min_fixed: Decimal | None = None
    experience_levels: tuple[Level, ...] = ()
    categories: tuple[str, ...] = ()
    countries_include: tuple[str, ...] = ()
    countries_exclude: tuple[str, ...] = ()
    my_country: str = ""
    languages: tuple[str, ...] = ()
    min_client_spent: Decimal | None = None
    min_client_hires: int | None = None
    min_client_hire_rate: Decimal | None = None
    min_client_rating: Decimal | None = None
    payment_verified_only: bool = False
    max_proposals: int | None = None
    durations: tuple[Duration, ...] = ()
    posted_within_hours: int | None = None
    strict: tuple[str, ...] = ()
    min_score: int = DEFAULT_MIN_SCORE


def terms_of(values: Mapping[str, Any]) -> SearchTerms:
    """The terms that read values (lists as lists) say; other keys are passed over."""
    known: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
        if name in SEARCH_FIELDS
    }
    return SearchTerms(**known)


SEARCH_FIELDS = tuple(SearchTerms.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryTerms:
    """How mail reaches one person.

    `digest_hour` (0-23) and quiet hours are wall-clock times in `timezone`; quiet hours run from
    `quiet_from` up to `quiet_until` and may cross midnight.  Both ends are set or neither is.
    """

    mode: Mode = "instant"
    digest_hour: int = 8
    timezone: str = "UTC"
    quiet_from: time | None = None
    quiet_until: time | None = None
    max_jobs_per_day: int = 30
    paused_until: datetime | None = None
    ai_allowed: bool = True
    weekly_note: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One person's searches and delivery, as given in a profile file."""

    searches: tuple[SearchTerms, ...] = field(default=(SearchTerms(),))
    delivery: DeliveryTerms = field(default=DeliveryTerms())

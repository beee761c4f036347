"""A posting: what a source said about one job, as a frozen plain value."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from accounts.vocabulary import Duration, JobType, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Posting:
    """One job as a source described it, cleaned and normalised; None is "not stated".

    `id` is `<marketplace>:<native id>` and holds no `_`.  Hourly money is a rate, `fixed_budget`
    the upper end of the budget, both in `currency` (ISO 4217, None where no money is stated).
    `client_spent` is in US dollars, `client_hire_rate` in percent 0-100 (None for a client
    without history), `client_rating` in stars 0-5, `client_country` ISO 3166 alpha-2,
    `proposals` the upper end of a range.  `category` is a slug of `vocabulary.CATEGORIES`;
    `worker_countries` are those in which alone the worker may be, where the source has a field for
    it (empty: not stated).  `language` is the one the text is written in (ISO 639-1; "" when it
    cannot be told, None while nobody has looked).  `posted_at` is aware, UTC;
    `posted_at_estimated` marks one reckoned back from the fetch ("2 hours ago").
    """

    id: str
    url: str = ""
    title: str
    description: str = ""
    skills: tuple[str, ...] = ()
    job_type: JobType | None = None
    hourly_min: Decimal | None = None
    hourly_max: Decimal | None = None
    fixed_budget: Decimal | None = None
    currency: str | None = None
    experience_level: Level | None = None
    duration: Duration | None = None
    client_country: str | None = None
    client_spent: Decimal | None = None
    client_hires: int | None = None
    client_hire_rate: Decimal | None = None
    client_payment_verified: bool | None = None
    client_rating: Decimal | None = None
    proposals: int | None = None
    posted_at: datetime | None = None
    posted_at_estimated: bool = field(default=False, compare=False)
    category: str | None = field(default=None, compare=False)
    worker_countries: tuple[str, ...] = field(default=(), compare=False)
    language: str | None = field(default=None, compare=False)

    @property
    def marketplace(self) -> str:
        """The part of the id before the colon, such as `upwork`."""
        return self.id.partition(":")[0]

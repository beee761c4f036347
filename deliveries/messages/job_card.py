"""One job in a mail, as plain values, and the lines people read about it."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from babel import Locale
from babel.numbers import get_currency_symbol

from accounts.vocabulary import Duration, JobType, Level

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_LEVELS: Final[dict[Level, str]] = {
    "entry": "entry level",
    "intermediate": "intermediate",
    "expert": "expert",
}
_DURATIONS: Final[dict[Duration, str]] = {
    "week": "less than a week",
    "month": "less than a month",
    "quarter": "1 to 3 months",
    "semester": "3 to 6 months",
    "ongoing": "more than 6 months",
}
_COUNTRIES = Locale("en").territories
_NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCard:
    """What a mail may say about one job; None and "" mean "not stated".

    `score` is 0-100.  `reasons` say why the job fits, `concerns` what to mind.  `search_name` is
    "" when the person has one search.  Units are those of `jobs.postings.posting.Posting`.
    `more_url` and `less_url` are for saying what one thinks of the job.
    `text_gone`: what the post said is no longer kept, so nothing may be said of it, not even that
    it does not state something.
    """

    job_id: str
    title: str
    score: int
    url: str = ""
    reasons: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    search_name: str = ""
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
    client_rating: Decimal | None = None
    client_payment_verified: bool | None = None
    proposals: int | None = None
    posted_at: datetime | None = None
    description: str = ""
    skills: tuple[str, ...] = ()
    text_gone: bool = False
    more_url: str = ""
    less_url: str = ""


def pay_line(card: JobCard) -> str:
    """The pay in words: "$35–60 an hour", "up to $60 an hour", "$1,500 fixed", "pay not stated".

    "" when the post's text is gone.
    """
    if card.text_gone:
        return ""
    if rate := _rate(card):
        return f"{rate} an hour"
    if budget := _budget(card):
        return f"{budget} fixed"
    kind = {"hourly": "hourly, ", "fixed": "fixed price, "}.get(card.job_type or "", "")
    return f"{kind}pay not stated"


def pay_short(card: JobCard) -> str:
    """The pay for a subject, "$35–60/h" or "$1,500 fixed"; "" where it is not stated."""
    if rate := _rate(card):
        return f"{rate}/h"
    budget = _budget(card)
    return f"{budget} fixed" if budget else ""


def work_line(card: JobCard) -> str:
    """Level and length: "expert · 1 to 3 months"; "" where neither is stated."""
    level = _LEVELS[card.experience_level] if card.experience_level else ""
    return _dotted(level, _DURATIONS[card.duration] if card.duration else "")


def client_line(card: JobCard) -> str:
    """The client: "Germany · $12k spent · 14 hires (82 %) · ★ 4.9 · payment verified".

    Only what is stated; the percentage is the rate of hire.
    """
    spent = "" if card.client_spent is None else f"${_compact(card.client_spent)} spent"
    rating = f"★{_NO_BREAK}{card.client_rating:.1f}" if card.client_rating else ""
    verified = {True: "payment verified", False: "payment not verified", None: ""}
    return _dotted(
        country_name(card.client_country),
        spent,
        _hires(card.client_hires, card.client_hire_rate),
        rating,
        verified[card.client_payment_verified],
    )


def posted_line(card: JobCard, timezone: str) -> str:
    """When it was posted, on the reader's clock, and how many have applied.

    "Posted Thu 26 Nov, 14:05 · up to 15 proposals".  `timezone` is an IANA name; an unknown one
    raises zoneinfo.ZoneInfoNotFoundError.
    """
    posted = f"posted {local_time(card.posted_at, timezone)}" if card.posted_at else ""
    line = _dotted(posted, _proposals(card.proposals))
    return line[:1].upper() + line[1:]


def local_time(moment: datetime, timezone: str) -> str:
    """An aware time on a wall clock in `timezone`, such as "Thu 26 Nov, 14:05"; no locale."""
    local = moment.astimezone(ZoneInfo(timezone))
    day = f"{WEEKDAYS[local.weekday()][:3]} {local.day} {MONTHS[local.month - 1][:3]}"
    return f"{day}, {local:%H:%M}"


def country_name(code: str | None) -> str:
    """The English name of an ISO 3166 alpha-2 code; "" where there is none."""
    return _COUNTRIES.get(code, "") if code else ""


def _rate(card: JobCard) -> str:
    if card.job_type == "fixed":
        return ""
    low, high = card.hourly_min, card.hourly_max
    if low is not None and high is not None:
        low, high = sorted((low, high))
        both = _amount(low) if low == high else f"{_amount(low)}–{_amount(high)}"
        return _money(both, card.currency)
    if low is not None:
        return f"from {_money(_amount(low), card.currency)}"
    return "" if high is None else f"up to {_money(_amount(high), card.currency)}"


def _budget(card: JobCard) -> str:
    if card.job_type == "hourly" or card.fixed_budget is None:
        return ""
    return _money(_amount(card.fixed_budget), card.currency)


def _money(amount: str, currency: str | None) -> str:
    if not currency:
        return amount
    symbol = get_currency_symbol(currency, "en")
    return f"{symbol}{_NO_BREAK}{amount}" if symbol[-1].isalpha() else f"{symbol}{amount}"


def _amount(value: Decimal) -> str:
    if value >= 1_000_000:
        return _compact(value)
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def _compact(value: Decimal) -> str:
    """Two or three digits and a letter, rounded: 950, 1.3k, 12k, 4M."""
    for size, letter in ((1_000_000_000, "B"), (1_000_000, "M"), (1_000, "k")):
        scaled = value / size
        if scaled >= Decimal("9.95"):
            return f"{scaled:,.0f}{letter}"
        if scaled >= Decimal("0.9995"):
            return f"{scaled:.1f}".removesuffix(".0") + letter
    return f"{value:.0f}"


def _hires(hires: int | None, rate: Decimal | None) -> str:
    percent = "" if rate is None else f"{rate:.0f}{_NO_BREAK}%"
    if hires is None:
        return percent and f"{percent} hire rate"
    if hires == 0:
        return "no hires yet"
    counted = "1 hire" if hires == 1 else f"{hires:,} hires"
    return f"{counted} ({percent})" if percent else counted


def _proposals(proposals: int | None) -> str:
    """In words; sources give a range by its upper end, and 50 stands for "50 or more"."""
    if proposals is None:
        return ""
    if proposals == 0:
        return "no proposals yet"
    if proposals >= 50:
        return "50+ proposals"
    return "1 proposal" if proposals == 1 else f"up to {proposals} proposals"


def _dotted(*parts: str) -> str:
    return " · ".join(part for part in parts if part)

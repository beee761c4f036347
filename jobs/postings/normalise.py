"""Raw rows of any source to clean postings.

Which keys hold a fact stands in `fields`, how its words are read in `wording`, `durations`,
`money`, `moments` and `agos`, all beside this module; here they become one `Posting`.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from accounts.vocabulary import Duration
from jobs.postings.agos import before, relative
from jobs.postings.botwall import wall_in
from jobs.postings.boxes import pairs, unboxed
from jobs.postings.cleaning import clean_skills, clean_text, clean_title
from jobs.postings.client_lines import of_client_line
from jobs.postings.clients import country, hire_rate, hires, rating, rating_in_reviews, spent
from jobs.postings.durations import duration
from jobs.postings.fields import Facts, each, facts, first, is_stated
from jobs.postings.footers import of_footer, without_footer
from jobs.postings.identifiers import canonical_id, digest, job_id_from, job_url
from jobs.postings.links import is_link, is_market, market_named, market_of_url, title_in_url
from jobs.postings.moments import absolute
from jobs.postings.pay import Pay, pay
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json
from jobs.postings.rejection import Rejection
from jobs.postings.skills import skill_names
from jobs.postings.speaking import likely_title, speaking
from jobs.postings.wording import count, level, proposals, short_text, truth

__all__ = ["Rejection", "normalise"]

_SUFFIX: Final = re.compile(r"(?<=\S)(?:\s+-\s+Upwork)+$")  # of Upwork's feeds
_CUT: Final = " .\u2026"
_LENGTH: Final = (("duration", count), ("duration_unit", short_text))
_AGES: Final = (
    ("minutes_ago", timedelta(minutes=1)),
    ("hours_ago", timedelta(hours=1)),
    ("days_ago", timedelta(days=1)),
)


def normalise(raw: object, fetched_at: datetime) -> Posting | Rejection:
    """One raw row as a posting, or why it cannot be one.

    Total: every value has an answer, none raises.  A title is required; everything else may be
    missing, and what is not believable (a rating of 9, a budget of -5, a year 1601) counts as not
    stated.  `fetched_at` is what "6 minutes ago" refers to.  A posting without an id gets one
    derived from its content, and one without a title the words of its Upwork URL.  A row that is
    exactly what `as_json` writes is taken as cleaned before, so that
    `normalise(as_json(posting), ...)` gives an equal posting.
    """
    if isinstance(raw, Rejection):
        return raw
    if isinstance(raw, list | tuple):
        raw = pairs(raw)
    if not isinstance(raw, Mapping):
        return Rejection("not an object")
    stated = facts(raw)
    fetched_at = fetched_at if fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
    if tuple(raw) == KEYS:
        settled = _posting(stated, fetched_at, escaped=False)
        if isinstance(settled, Posting) and as_json(settled) == raw:
            return settled
    found = _posting(stated, fetched_at, escaped=True)
    if isinstance(found, Rejection) and (wall := wall_in(raw)):
        return Rejection(str(wall), "page")
    return found


def _posting(stated: Facts, fetched_at: datetime, *, escaped: bool) -> Posting | Rejection:
    description = _description(stated, escaped=escaped)
    if escaped:
        description, footer = without_footer(description)
        stated = speaking(_with(stated, of_footer(footer)) if footer else stated)
        for line in each(stated, "client_line"):
            stated = _with(stated, of_client_line(line))
    link = _best_link(stated)
    market = _market(stated, link)
    job_id = job_id_from(tuple(map(unboxed, each(stated, "id"))), link, market)
    market = job_id.partition(":")[0] if job_id else market or "import"
    named = partial(_title, market=market, escaped=escaped)
    title = first(stated, "title", named) or named(title_in_url(link) or likely_title(stated))
    if title is None:
        return Rejection("no title", "title")
    paid = pay(stated, market)
    posted_at, estimated = _posted_at(stated, fetched_at)
    return Posting(
        id=job_id or canonical_id(market, digest(_content(title, description, paid))),
        url=job_url(job_id or "", link),
        title=title,
        description=description,
        skills=clean_skills(skill_names(stated), escaped=escaped),
        job_type=paid.job_type,
        hourly_min=paid.hourly_min,
        hourly_max=paid.hourly_max,
        fixed_budget=paid.fixed_budget,
        currency=paid.currency,
        experience_level=first(stated, "level", level),
        duration=_duration(stated),
        client_country=first(stated, "country", country),
        client_spent=first(stated, "spent", spent),
        client_hires=first(stated, "hires", hires),
        client_hire_rate=hire_rate(stated, ours=not escaped),
        client_payment_verified=first(stated, "verified", truth),
        client_rating=first(stated, "rating", rating)
        or first(stated, "reviews", rating_in_reviews),
        proposals=first(stated, "proposals", proposals),
        posted_at=posted_at,
        posted_at_estimated=estimated,
    )


def _with(stated: Facts, more: Facts) -> Facts:
    """The facts with others behind them."""
    return {name: (*stated.get(name, ()), *more.get(name, ())) for name in {*stated, *more}}


def _market(stated: Facts, link: str) -> str | None:
    """The marketplace by its URL, its name in the row, or the look of an (even cut) Upwork id."""
    names = (market_named(v) for v in each(stated, "marketplace") if isinstance(v, str))
    named = market_of_url(link) or next((n for n in names if n and is_market(n)), None)
    if named is None and any(isinstance(v, str) and v.startswith("~0") for v in each(stated, "id")):
        return "upwork"
    return named


def _best_link(stated: Facts) -> str:
    """The first link to a known marketplace, else the first."""
    values = map(unboxed, each(stated, "url"))
    links = [value for value in values if isinstance(value, str) and is_link(value)]
    return next(filter(market_of_url, links), links[0] if links else "")


def _content(title: str, description: str, paid: Pay) -> str:
    """What makes a posting without an id the same posting when it is seen again."""
    money_words = (paid.job_type, paid.hourly_min, paid.hourly_max, paid.fixed_budget)
    return "\x1f".join((title, description, *map(str, money_words)))


def _title(value: object, *, market: str, escaped: bool) -> str | None:
    text = clean_title(value, escaped=escaped) if isinstance(value, str) else ""
    if market == "upwork":
        text = _SUFFIX.sub("", text)
    return text if is_stated(text) else None


def _description(stated: Facts, *, escaped: bool) -> str:
    """The first description; one that only goes on where it was cut is better."""
    found = ""
    for value in each(stated, "description"):
        text = clean_text(value, escaped=escaped) if isinstance(value, str) else ""
        begun = found.rstrip(_CUT)
        if is_stated(text) and (not found or (text.startswith(begun) and len(text) > len(found))):
            found = text
    return found or first(stated, "description", partial(_boxed, escaped=escaped)) or ""


def _boxed(value: object, *, escaped: bool) -> str | None:
    text = clean_text(value, escaped=escaped) if isinstance(value, str) else ""
    return text if is_stated(text) else None


def _posted_at(stated: Facts, fetched_at: datetime) -> tuple[datetime | None, bool]:
    """When the job was posted, and whether that is only reckoned back from the fetch."""
    if moment := first(stated, "posted_at", absolute):
        return moment, False
    told = partial(relative, fetched_at=fetched_at, told=True)
    moment = first(stated, "posted_at", partial(relative, fetched_at=fetched_at))
    moment = moment or first(stated, "posted_ago", told)
    for name, unit in _AGES:
        moment = moment or first(stated, name, partial(before, fetched_at, unit=unit))
    return moment, moment is not None


def _duration(stated: Facts) -> Duration | None:
    found: Duration | None = first(stated, "duration", duration)
    if found:
        return found
    number, unit = (first(stated, name, kind) for name, kind in _LENGTH)
    if number and unit and (found := duration(f"{number} {unit}")):
        return found
    units = ("days", "weeks", "months")
    numbers = ((first(stated, f"duration_{unit}", count), unit) for unit in units)
    said = next((f"{number} {unit}" for number, unit in numbers if number), None)
    return duration(said)

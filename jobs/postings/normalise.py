"""Raw rows of any source to clean postings.

Which keys hold a fact stands in `fields`, how its words are read in `wording`, `money` and
`moments`, all beside this module; here they become one `Posting`.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial
from typing import Final

from accounts.countries import country_code
from accounts.vocabulary import Duration
from jobs.postings.cleaning import clean_skills, clean_text, clean_title
from jobs.postings.fields import Facts, each, facts, first, is_stated
from jobs.postings.identifiers import canonical_id, digest, job_id_from, job_url
from jobs.postings.links import is_link, is_market, market_named, market_of_url, title_in_url
from jobs.postings.moments import absolute, relative
from jobs.postings.money import money
from jobs.postings.pay import Pay, pay
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json
from jobs.postings.rejection import Rejection
from jobs.postings.wording import count, duration, level, proposals, ratio, truth

__all__ = ["Rejection", "normalise"]

_SUFFIX: Final = re.compile(r"(?<=\S)(?:\s+-\s+Upwork)+$")  # of Upwork's feeds
_LISTED: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_SEPARATORS: Final = re.compile(r"[,;|\n\t•]")
_NAMES: Final = ("prettyName", "prefLabel", "name", "label", "skill", "title")
_MOST_RAW_SKILLS: Final = 500


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
    if not isinstance(raw, Mapping):
        return Rejection("not an object")
    stated = facts(raw)
    fetched_at = fetched_at if fetched_at.tzinfo else fetched_at.replace(tzinfo=UTC)
    if tuple(raw) == KEYS:
        settled = _posting(stated, fetched_at, escaped=False)
        if isinstance(settled, Posting) and as_json(settled) == raw:
            return settled
    return _posting(stated, fetched_at, escaped=True)


def _posting(stated: Facts, fetched_at: datetime, *, escaped: bool) -> Posting | Rejection:
    link = first(stated, "url", _link) or ""
    market = _market(stated, link)
    job_id = job_id_from(tuple(each(stated, "id")), link, market)
    market = job_id.partition(":")[0] if job_id else market or "import"
    named = partial(_title, market=market, escaped=escaped)
    title = first(stated, "title", named) or named(title_in_url(link))
    if title is None:
        return Rejection("no title", "title")
    description = first(stated, "description", partial(_description, escaped=escaped)) or ""
    paid = pay(stated, market)
    return Posting(
        id=job_id or canonical_id(market, digest(_content(title, description, paid))),
        url=job_url(job_id or "", link),
        title=title,
        description=description,
        skills=clean_skills(_skills(stated), escaped=escaped),
        job_type=paid.job_type,
        hourly_min=paid.hourly_min,
        hourly_max=paid.hourly_max,
        fixed_budget=paid.fixed_budget,
        currency=paid.currency,
        experience_level=first(stated, "level", level),
        duration=_duration(stated),
        client_country=first(stated, "country", _country),
        client_spent=first(stated, "spent", _spent),
        client_hires=first(stated, "hires", count),
        client_hire_rate=_hire_rate(stated),
        client_payment_verified=first(stated, "verified", truth),
        client_rating=first(stated, "rating", _rating),
        proposals=first(stated, "proposals", proposals),
        posted_at=first(stated, "posted_at", absolute)
        or first(stated, "posted_at", partial(relative, fetched_at=fetched_at)),
    )


def _market(stated: Facts, link: str) -> str | None:
    """The marketplace by its URL, its name in the row, or the look of an (even cut) Upwork id."""
    names = (market_named(v) for v in each(stated, "marketplace") if isinstance(v, str))
    named = market_of_url(link) or next((n for n in names if n and is_market(n)), None)
    if named is None and any(isinstance(v, str) and v.startswith("~0") for v in each(stated, "id")):
        return "upwork"
    return named


def _link(value: object) -> str | None:
    return value if isinstance(value, str) and is_link(value) else None


def _content(title: str, description: str, paid: Pay) -> str:
    """What makes a posting without an id the same posting when it is seen again."""
    money_words = (paid.job_type, paid.hourly_min, paid.hourly_max, paid.fixed_budget)
    return "\x1f".join((title, description, *map(str, money_words)))


def _title(value: object, *, market: str, escaped: bool) -> str | None:
    text = clean_title(value, escaped=escaped) if isinstance(value, str) else ""
    if market == "upwork":
        text = _SUFFIX.sub("", text)
    return text if is_stated(text) else None


def _description(value: object, *, escaped: bool) -> str | None:
    text = clean_text(value, escaped=escaped) if isinstance(value, str) else ""
    return text if is_stated(text) else None


def _skills(stated: Facts) -> Iterator[str]:
    """The raw skills under the first key that holds some: a list, objects, or one text."""
    for value in each(stated, "skills"):
        if found := list(_skill_names(value)):
            yield from found
            return


def _skill_names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        text = value[:10_000].strip()
        if text[:1] == "[" and text[-1:] == "]":
            yield from (single or double for single, double in _LISTED.findall(text))
        else:
            yield from _SEPARATORS.split(text)
    elif isinstance(value, list | tuple):
        for item in value[:_MOST_RAW_SKILLS]:
            names = [item.get(name) for name in _NAMES] if isinstance(item, Mapping) else [item]
            yield from [name for name in names if isinstance(name, str) and is_stated(name)][:1]


def _duration(stated: Facts) -> Duration | None:
    weeks = first(stated, "duration_weeks", count)
    return first(stated, "duration", duration) or duration(f"{weeks} weeks" if weeks else None)


def _country(value: object) -> str | None:
    return country_code(value) if isinstance(value, str) else None


def _spent(value: object) -> Decimal | None:
    return money(value).lower


def _rating(value: object) -> Decimal | None:
    """Stars; 0 is a client whom nobody rated yet."""
    return ratio(value, 5) or None


def _hire_rate(stated: Facts) -> Decimal | None:
    """Percent: as stated, or hires per posted job; more than 100 is 100."""
    posted = first(stated, "posted_jobs", count)
    if posted == 0:
        return None
    rate = first(stated, "hire_rate", partial(ratio, most=10**9))
    if rate is None and (guess := first(stated, "hire_rate_guess", partial(ratio, most=10**9))):
        rate = guess if guess >= 1 else guess * 100
    hires = first(stated, "hires", count)
    if rate is None and posted and hires is not None:
        rate = (Decimal(hires) * 100 / posted).quantize(Decimal("0.01"))
    return None if rate is None else min(rate, Decimal(100))

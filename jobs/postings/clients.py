"""What a row states about the client."""

import re
from decimal import Decimal
from functools import partial
from typing import Final

from accounts.countries import country_code
from jobs.postings.fields import Facts, first
from jobs.postings.money import money
from jobs.postings.wording import count, percent, ratio

_FLAG: Final = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_STARS: Final = re.compile(r"(\d[.,]\d+)\s*(?:(?:out )?of \d|/\s*5|★|stars?\b)", re.IGNORECASE)
_FLAG_A: Final = 0x1F1E6


def country(value: object) -> str | None:
    """The country's code, from a name, a code or a flag."""
    if not isinstance(value, str):
        return None
    if code := country_code(value):
        return code
    flag = _FLAG.search(value)
    return (
        country_code("".join(chr(ord(c) - _FLAG_A + ord("A")) for c in flag[0])) if flag else None
    )


def spent(value: object) -> Decimal | None:
    """What the client has spent, at least."""
    return money(value).lower


def hires(value: object) -> int | None:
    """How many were hired; a share ("67% hire rate") is no number of them."""
    return None if isinstance(value, str) and "%" in value else count(value)


def rating_in_reviews(value: object) -> Decimal | None:
    """Stars in a text about reviews, "4.9 of 5 (37 reviews)"; a number alone counts reviews."""
    found = _STARS.match(value.strip()) if isinstance(value, str) else None
    return rating(found[1]) if found else None


def rating(value: object) -> Decimal | None:
    """Stars; 0 is a client whom nobody rated yet."""
    return ratio(value, 5) or None


def hire_rate(stated: Facts, *, ours: bool) -> Decimal | None:
    """Percent: as stated, or hires per posted job; more than 100 is 100.

    In `ours`, rows that `as_json` wrote, 0.5 is half a percent; elsewhere it is half of all.
    """
    posted = first(stated, "posted_jobs", count)
    if posted == 0:
        return None
    rate = first(stated, "hire_rate", partial(ratio, most=10**9) if ours else percent)
    for name in ("hires", "posted_jobs"):
        rate = first(stated, name, _share) if rate is None else rate
    hired = first(stated, "jobs_with_hires", count)
    hired = first(stated, "hires", hires) if hired is None else hired
    if rate is None and posted and hired is not None:
        rate = (Decimal(hired) * 100 / posted).quantize(Decimal("0.01"))
    return None if rate is None else min(rate, Decimal(100))


def _share(value: object) -> Decimal | None:
    """The percent in a text such as "25 jobs posted, 60% hire rate"."""
    return percent(value) if isinstance(value, str) and "%" in value else None

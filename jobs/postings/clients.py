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
_FLAG_A: Final = 0x1F1E6


def country(value: object) -> str | None:
    """The country's code, from a name, a code or a flag."""
    if not isinstance(value, str):
        return None
    flag = _FLAG.fullmatch(value.strip())
    letters = "".join(chr(ord(c) - _FLAG_A + ord("A")) for c in flag[0]) if flag else value
    return country_code(letters)


def spent(value: object) -> Decimal | None:
    """What the client has spent, at least."""
    return money(value).lower


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
    hires = first(stated, "jobs_with_hires", count)
    hires = first(stated, "hires", count) if hires is None else hires
    if rate is None and posted and hires is not None:
        rate = (Decimal(hires) * 100 / posted).quantize(Decimal("0.01"))
    return None if rate is None else min(rate, Decimal(100))

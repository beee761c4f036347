"""Texts under keys of no known meaning that speak for themselves: "Posted 3 hours ago"."""

import re
from datetime import UTC, datetime
from typing import Final

from accounts.countries import country_code
from jobs.postings.agos import relative
from jobs.postings.fields import Facts, each
from jobs.postings.links import is_link, market_of_url
from jobs.postings.moments import LABEL, absolute
from jobs.postings.money import money

_FACTS: Final = frozenset(
    "description url skills budget fixed hourly hourly_min level duration country spent proposals "
    "posted_at".split()
)
_ENOUGH: Final = 3  # facts that tell a job
_HEADING: Final = re.compile(r"(?=.*[^\W\d_]{3})[^\n]{5,200}")
_LONGEST: Final = 200
_NOW: Final = datetime(2050, 1, 1, tzinfo=UTC)  # any: only whether a text is relative is asked
# Texts that name what they are.
_SAID: Final = {
    "level": re.compile(r"(?:entry|intermediate|expert)(?: level)?(?: \(\$+\))?"),
    "job_type": re.compile(r"(?:hourly|fixed[- ]price)\b.*", re.DOTALL),
    "duration": re.compile(
        r"(?:est\. time: )?(?:(?:less|more) than \d+|\d+ to \d+) (?:weeks?|months?)\b.*", re.DOTALL
    ),
    "verified": re.compile(r"payment (?:method )?(?:un|not )?verified"),
    "proposals": re.compile(
        r"proposals?: .*|(?:less than )?\d+(?: to \d+)?\+? (?:proposals?|bids?)"
    ),
}


def speaking(stated: Facts) -> Facts:
    """The facts, behind them those of texts whose keys say nothing, by field.

    What a text does not name itself (a price, a country, a time) is believed only under a key
    in another script, where the key may well say so.
    """
    more: dict[str, tuple[object, ...]] = {}
    for value in each(stated, "unknown"):
        key, text = value if isinstance(value, tuple) else ("", "")
        for name in _fields(key, text.strip()[:_LONGEST]):
            more[name] = (*more.get(name, ()), text)
    if not more:
        return stated
    return {name: (*stated.get(name, ()), *more.get(name, ())) for name in {*stated, *more}}


def likely_title(stated: Facts) -> str | None:
    """The first text that reads like a heading, of a row that states a job's facts but no title."""
    if len(_FACTS.intersection(stated)) < _ENOUGH:
        return None
    for value in each(stated, "unknown"):
        text = value[1] if isinstance(value, tuple) and isinstance(value[1], str) else ""
        if _HEADING.fullmatch(text.strip()) and not _names_other(text.strip()):
            return text
    return None


def _names_other(text: str) -> bool:
    """Whether a text is a link, a time, money, a country or a fact that names itself."""
    if is_link(text) or country_code(text) or money(text).upper is not None:
        return True
    return bool(absolute(text) or relative(text, _NOW) or _fields("", text))


def _fields(key: str, text: str) -> list[str]:
    names = [name for name, said in _SAID.items() if said.fullmatch(text.casefold())]
    if is_link(text):
        return ["url"] if market_of_url(text) else []
    if LABEL.match(text) and (absolute(text) or relative(text, _NOW)):
        names.append("posted_at")
    if names or key.isascii():
        return names
    if absolute(text) or relative(text, _NOW):
        return ["posted_at"]
    if money(text).currency:
        return ["budget"]
    return ["country"] if country_code(text) else []

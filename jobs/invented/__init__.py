"""Invented jobs and searches of many trades, as many as are asked for: to measure with."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from accounts.terms import SearchTerms
from accounts.vocabulary import DURATIONS, JOB_TYPES, LEVELS
from jobs.postings.posting import Posting

_WORDS: Final = Path(__file__).with_name("words.json")
_NATIVE: Final = 10**12


@cache
def _words() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(_WORDS.read_text(encoding="utf-8"))
    return found


def postings(count: int, *, now: datetime, span: timedelta, seed: int = 0) -> list[Posting]:
    """`count` jobs posted within `span` before `now`, with ids from `invented:` on.

    The same arguments give the same jobs, and a longer list begins with the shorter one.
    """
    return [_posting(n, Random(f"{seed} job {n}"), now, span) for n in range(count)]  # noqa: S311


def searches(count: int, *, seed: int = 0) -> list[SearchTerms]:
    """`count` searches, each of one trade, with filters as people set them.

    About one pair in a hundred of these and of `postings` passes.
    """
    return [_search(Random(f"{seed} search {n}")) for n in range(count)]  # noqa: S311


def _posting(number: int, chance: Random, now: datetime, span: timedelta) -> Posting:
    words = _words()
    trade = chance.choice(words["trades"])
    skills = chance.sample(trade["skills"], 2)
    level = chance.choice(LEVELS)
    filled = {
        "name": trade["name"],
        "skill": skills[0],
        "skill2": skills[1],
        "thing": chance.choice(trade["things"]),
        "level": level.capitalize(),
        "n": chance.randint(2, 30),
    }
    hourly = chance.random() < 0.55
    rate = chance.randint(8, 95)
    return Posting(
        id=f"invented:{_NATIVE + number}",
        title=chance.choice(words["titles"]).format(**filled),
        description=_text(words, chance, filled),
        skills=(*skills, *_stray(words, chance)),
        job_type="hourly" if hourly else "fixed",
        hourly_min=Decimal(rate) if hourly else None,
        hourly_max=Decimal(rate + chance.randint(5, 30)) if hourly else None,
        fixed_budget=None if hourly else Decimal(chance.choice((50, 150, 400, 900, 2500, 8000))),
        currency="USD",
        experience_level=level,
        duration=chance.choice((None, *DURATIONS)),
        posted_at=now - span * chance.random(),
        **_client(words, chance),
    )


def _stray(words: Mapping[str, Any], chance: Random) -> tuple[str, ...]:
    """Now and then a tag of another trade, as posts have them."""
    trade = chance.choice(words["trades"])
    return (chance.choice(trade["skills"]),) if chance.random() < 0.25 else ()


def _client(words: Mapping[str, Any], chance: Random) -> dict[str, Any]:
    hires = chance.choice((None, 0, 2, 9, 40))
    return {
        "client_country": chance.choice(words["countries"]),
        "client_hires": hires,
        "client_spent": None if hires is None else Decimal(hires * chance.randint(100, 3000)),
        "client_hire_rate": Decimal(chance.randint(10, 100)) if hires else None,
        "client_rating": Decimal(chance.randint(35, 50)) / 10 if hires else None,
        "client_payment_verified": chance.choice((None, True, True, True, False)),
        "proposals": chance.choice((None, 4, 10, 15, 20, 50)),
    }


def _text(words: Mapping[str, Any], chance: Random, filled: Mapping[str, object]) -> str:
    """A few hundred to a thousand characters: an opening, some paragraphs, now and then a trap."""
    parts = [chance.choice(words["openings"]).format(**filled)]
    for sentence in chance.sample(words["sentences"], chance.randint(4, 18)):
        place = chance.choice(words["places"])
        parts.append(sentence.format(n=chance.randint(2, 30), place=place))
    if chance.random() < 0.1:
        parts.append(f"This is {chance.choice(words['nuisances'])}, to be open about it.")
    return "\n\n".join(" ".join(parts[at : at + 4]) for at in range(0, len(parts), 4))


def _search(chance: Random) -> SearchTerms:
    words = _words()
    trade = chance.choice(words["trades"])
    skills: Sequence[str] = chance.sample(trade["skills"], chance.randint(3, 4))
    things = " and ".join(chance.sample(trade["things"], 2))
    often = chance.random
    return SearchTerms(
        name=trade["name"],
        headline=f"{trade['name']} freelancer: {skills[0]}, {skills[1]}",
        about=f"I do {trade['name']} work, such as {things}, for {chance.randint(2, 20)} years.",
        wants=f"Work on a {things}. No {chance.choice(words['nuisances'])}.",
        skills=tuple(skills),
        words_none=tuple(chance.sample(words["nuisances"], chance.randint(0, 3))),
        job_types=("hourly",) if often() < 0.4 else JOB_TYPES,
        min_hourly=Decimal(chance.randint(20, 90)) if often() < 0.8 else None,
        min_fixed=Decimal(chance.choice((300, 500, 1000, 2000))) if often() < 0.8 else None,
        experience_levels=LEVELS[1:] if often() < 0.4 else (),
        countries_exclude=tuple({*chance.choices(words["countries"], k=2)})
        if often() < 0.3
        else (),
        min_client_rating=Decimal("4.2") if often() < 0.3 else None,
        payment_verified_only=often() < 0.3,
        max_proposals=chance.choice((None, None, 15, 20)),
        min_score=chance.choice((60, 70, 70, 70, 80)),
    )

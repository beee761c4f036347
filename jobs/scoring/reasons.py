"""Why a pair scores as it does, in plain sentences that name the evidence."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from accounts.terms import SearchTerms
from jobs.filters.about_terms import FIXED, HOURLY
from jobs.rates import usd
from jobs.scoring.naming import Named
from jobs.scoring.offer import prepare
from jobs.table import JobTable
from jobs.text.crafts import CRAFT_MASKS
from jobs.text.lexicon import stem, stems, tokens
from jobs.text.signs import NO_TEXT, PLACE, SHORT_TEXT
from jobs.text.tongues import LANGUAGE_MASKS

_SHOWN: Final = 6
CROWDED: Final = 50
STUFFED: Final = 12


def reasons(
    search: SearchTerms, table: JobTable, j: int, named: Named, pair: int
) -> tuple[str, ...]:
    """What speaks for job `j`, the strongest first; it is column `pair` of `named`."""
    return (*_skills(search, named, pair), *_title(search, table, j), *_gains(search, table, j))


def concerns(
    search: SearchTerms, table: JobTable, j: int, named: Named, pair: int
) -> tuple[str, ...]:
    """What speaks against job `j` (column `pair` of `named`), or is not known about it."""
    return (
        *_ruled_out(search, table, j),
        *_other_work(search, table, j),
        *_only_tagged(table, j, named, pair),
        *_losses(search, table, j),
        *_languages(search, table, j),
        *_post(table, j),
        *_client(table, j),
    )


def _skills(search: SearchTerms, named: Named, pair: int) -> Iterator[str]:
    skills = prepare(search).skills
    fields = (named.title[:, pair], named.tags[:, pair], named.body[:, pair])
    found = [
        f"{skill.label} ({'title' if title else 'tags' if tags else 'text'})"
        for skill, title, tags, body in zip(skills, *map(np.ndarray.tolist, fields), strict=True)
        if title or tags or body
    ]
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        share = (
            "your one skill" if len(skills) == 1 else f"{len(found)} of your {len(skills)} skills"
        )
        yield f"Names {share}: {', '.join(found[:_SHOWN])}{more}"
        return
    near = [s.label for s, part in zip(skills, named.near[:, pair], strict=True) if part]
    if near:
        yield f"Comes near your skills: {', '.join(near[:_SHOWN])}"


def _title(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    headline = prepare(search).headline
    words = dict.fromkeys(w for w in tokens(table.titles[j]) if stem(w) in headline)
    if len(words) == 1:
        yield f"One word of your headline appears in the title: {next(iter(words))}"
    elif words:
        yield f"Your headline's words appear in the title: {', '.join(words)}"


def _gains(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    rate, budget = table.hourly[j], table.budget[j]
    if table.kind[j] == HOURLY and search.min_hourly and rate >= float(search.min_hourly):
        yield f"{_pays(table, j)}, your floor is {usd(search.min_hourly)}/h"
    if table.kind[j] == FIXED and search.min_fixed and budget >= float(search.min_fixed):
        yield f"Has a budget of {_money(table, j, budget)}, your floor is {usd(search.min_fixed)}"
    if table.spent[j] >= 1000:
        yield f"Client has spent {usd(round(table.spent[j]))}"
    if table.rating[j] >= 4.5:
        yield f"Client is rated {table.rating[j]:g} of 5"


def _losses(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    rate, budget = table.hourly[j], table.budget[j]
    if np.isnan(rate) and np.isnan(budget):
        yield _no_money(table, j)
    if table.kind[j] == HOURLY and search.min_hourly and rate < float(search.min_hourly):
        yield f"{_pays(table, j)}, below your floor of {usd(search.min_hourly)}/h"
    if table.kind[j] == FIXED and search.min_fixed and budget < float(search.min_fixed):
        floor = usd(search.min_fixed)
        yield f"Has a budget of {_money(table, j, budget)}, below your floor of {floor}"


def _pays(table: JobTable, j: int) -> str:
    only = "from" if table.postings[j].hourly_max is None else "up to"
    return f"Pays {only} {_money(table, j, table.hourly[j], '/h')}"


def _money(table: JobTable, j: int, dollars: float, per: str = "") -> str:
    """Dollars, and from which currency they were converted."""
    if np.isnat(table.rated_on[j]):
        return f"{usd(dollars)}{per}"
    return f"about {usd(dollars)}{per} (converted from {table.postings[j].currency})"


def _no_money(table: JobTable, j: int) -> str:
    post = table.postings[j]
    if table.placeholder[j]:
        return "Its budget looks like a placeholder"
    if any(pay is not None for pay in (post.hourly_min, post.hourly_max, post.fixed_budget)):
        return f"What it pays is in {post.currency or 'an unknown currency'}, of unknown worth"
    return "Rate not stated" if table.kind[j] == HOURLY else "Budget not stated"


def _ruled_out(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    """What is ruled out whole in one sentence; of "web only" it is the web that a post names."""
    unwanted = prepare(search).unwanted
    words = set(stems(f"{table.titles[j]} {table.tags[j]}")) if unwanted else set()
    found = [phrase for phrase, roots in unwanted.items() if words.issuperset(roots)]
    told = {phrase: " ".join(w for w in tokens(phrase) if stem(w) in words) for phrase in found}
    whole = [phrase for phrase, named in told.items() if named == phrase]
    if whole:
        yield f"Seems to name what you rule out: {', '.join(whole)}"
    for phrase, named in told.items():
        if named != phrase:
            yield f"Names {named}, and you rule out “{phrase}”"


def _other_work(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    others = CRAFT_MASKS.named(int(table.signs.title_crafts[j] & ~prepare(search).crafts))
    if others:
        yield f"Its title speaks of {' and '.join(others)}, which you do not mention"
    if table.signs.study[j]:
        yield "Looks like homework, tutoring or help with an interview"


def _only_tagged(table: JobTable, j: int, named: Named, pair: int) -> Iterator[str]:
    if named.only_tagged(table.signs.text_length[[j]])[pair]:
        yield "Your skills stand among its tags only; its text names none of them"


def _languages(search: SearchTerms, table: JobTable, j: int) -> Iterator[str]:
    """Each language once, by the strongest of: written in, asked for, spoken of."""
    said = ~prepare(search).languages
    for verb, masks in (
        ("Written in", table.written),
        ("Asks for", table.signs.demanded),
        ("Speaks of", table.signs.text_languages),
    ):
        if found := LANGUAGE_MASKS.named(int(masks[j] & said)):
            names = ", ".join(map(str.capitalize, found[:3]))
            yield f"{verb} {names}, which you do not mention"
        said &= ~masks[j]


def _post(table: JobTable, j: int) -> Iterator[str]:
    signs = table.signs
    if signs.survey[j]:
        yield "Looks like a survey"
    if signs.place[j] and (place := PLACE.search(f"{table.titles[j]} {table.bodies[j]}")):
        yield f"May be tied to a place: “{place.group().strip()}”"
    if signs.tag_count[j] > STUFFED:
        yield f"Lists many tags ({signs.tag_count[j]:.0f}), some may be unrelated"
    if signs.text_length[j] < NO_TEXT:
        yield "Has hardly any description"
    elif signs.text_length[j] < SHORT_TEXT:
        yield "Says little about the work"


def _client(table: JobTable, j: int) -> Iterator[str]:
    known = (table.spent[j], table.hires[j])
    if 0 in known and not any(number > 0 for number in known):
        yield "New client without history"
    if table.verified[j] == 0:
        yield "Client's way to pay is not verified"
    if table.proposals[j] >= CROWDED:
        yield f"Many proposals ({table.proposals[j]:.0f}+)"

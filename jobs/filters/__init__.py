"""The hard rules: which jobs a search lets through, and why one did not pass."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np

from accounts.search_fields import too_open
from accounts.terms import SearchTerms
from jobs.filters.about_client import CLIENT_FILTERS
from jobs.filters.about_terms import TERM_FILTERS
from jobs.filters.about_words import GATES, WORD_FILTERS
from jobs.filters.about_worker import WORKER_FILTERS
from jobs.filters.judging import Block, Bools, Filter, When, WordHits
from jobs.table import JobTable

FILTERS: Final[tuple[Filter, ...]] = (
    TERM_FILTERS + WORKER_FILTERS + CLIENT_FILTERS + WORD_FILTERS + GATES
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One filter's answer for one pair, with the values it compared, in words.

    `stated` is False where the post does not say and where the question does not apply to it.
    """

    name: str
    label: str
    passed: bool
    stated: bool
    wanted: str
    found: str
    sentence: str


def passing(
    searches: Sequence[SearchTerms], table: JobTable, now: When, *, gated: bool = True
) -> Bools:
    """Which of the J jobs (columns) every filter of each of the S searches (rows) lets through.

    A search that would let everything through (`accounts.search_fields.too_open`), such as one
    that nobody has described yet, lets nothing through.  `now` is aware, one for all or one for
    each job; only `posted_within_hours` looks at it.  Without `gated`, a job need not name any of
    the skills.
    """
    block = Block.of(searches, table, now)
    passed = np.ones((len(searches), len(table)), dtype=np.bool_)
    passed[[s for s, search in enumerate(searches) if too_open(search)]] = False
    for each in FILTERS if gated else FILTERS[: -len(GATES)]:
        rows = [s for s, search in enumerate(searches) if each.asked(search)]
        if rows:
            passed[rows] &= each.passes(block.asking(rows))
    return passed


def compare(search: SearchTerms, table: JobTable, j: int, now: datetime) -> list[Comparison]:
    """What each filter that `search` asks for says about the job at place `j`, in their order.

    The same predicates as `passing`, on a block of one: the job passes if all of these do.
    """
    block = Block.of((search,), table.row(j), now)
    return [_comparison(each, block) for each in FILTERS if each.asked(search)]


def values_compared(
    search: SearchTerms, table: JobTable, cols: Sequence[int], now: datetime
) -> list[dict[str, tuple[str, str]]]:
    """For each job at the places `cols`: filter name to (what was asked, what the post says).

    What `compare` says of the same pairs, for many jobs of one search at once.
    """
    asked = [each for each in FILTERS if each.asked(search)]
    wanted = {each.name: each.wanted(search) for each in asked}
    chosen = table.take(cols)
    whole = Block.of((search,), chosen, now)
    values = []
    for place in range(len(chosen)):
        only = WordHits(whole.words.index, whole.words.matrix[:, place : place + 1])
        block = Block((search,), chosen.row(place), only, whole.now[place : place + 1])
        values.append({each.name: (wanted[each.name], each.found(block)) for each in asked})
    return values


def _comparison(each: Filter, block: Block) -> Comparison:
    search = block.searches[0]
    judged = each.judge(block)
    passed = bool(each.passes(block)[0, 0])
    stated = bool(np.all(judged.stated & np.asarray(judged.applies)))
    wanted, found = each.wanted(search), each.found(block)
    dropped = not (passed or stated) and each.name in search.strict
    remark = ", and you drop what is not stated" if dropped else ""
    sentence = f"{wanted[:1].upper()}{wanted[1:]}; {found}{remark}."
    return Comparison(each.name, each.label, passed, stated, wanted, found, sentence)

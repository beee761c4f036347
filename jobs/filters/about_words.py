"""Filters that ask which words a post names."""

from collections.abc import Callable, Sequence

import numpy as np

from accounts.terms import SearchTerms
from jobs.columns import Bools
from jobs.filters.judging import Block, Filter, Judgement
from jobs.text.skills import gate_words

Words = Callable[[SearchTerms], tuple[str, ...]]
Answer = Bools | np.bool_


def _judge(words: Words, judge_one: Callable[[Bools], Answer]) -> Callable[[Block], Judgement]:
    """A predicate over each search's own rows of the matrix of hits."""

    def judge(block: Block) -> Judgement:
        fits = np.zeros((len(block.searches), len(block.table)), dtype=np.bool_)
        for s, search in enumerate(block.searches):
            fits[s] = judge_one(block.words.of_words(words(search)))
        return Judgement(stated=np.ones_like(fits), fits=fits)

    return judge


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(f"“{word}”" for word in words[:6])
    return f"{shown} and {len(words) - 6} more" if len(words) > 6 else shown


def _named(words: Words) -> Callable[[Block], str]:
    def found(block: Block) -> str:
        index, matrix = block.words.index, block.words.matrix
        rows = index.rows(words(block.searches[0]))
        named = [index.patterns[row] for row in dict.fromkeys(rows) if matrix[row, 0]]
        return f"the post names {_listed(named)}" if named else "the post names none of them"

    return found


WORD_FILTERS = (
    Filter(
        name="words_none",
        judge=_judge(lambda s: s.words_none, lambda hits: ~hits.any(axis=0)),
        wanted=lambda search: f"you avoid {_listed(search.words_none)}",
        found=_named(lambda s: s.words_none),
    ),
    Filter(
        name="words_all",
        judge=_judge(lambda s: s.words_all, lambda hits: hits.all(axis=0)),
        wanted=lambda search: f"you need every one of {_listed(search.words_all)}",
        found=_named(lambda s: s.words_all),
    ),
    Filter(
        name="words_any",
        judge=_judge(lambda s: s.words_any, lambda hits: hits.any(axis=0)),
        wanted=lambda search: f"you need one of {_listed(search.words_any)}",
        found=_named(lambda s: s.words_any),
    ),
)
# A job that names none of the skills hardly ever reaches a threshold (docs/decisions/0007), so it
# is not scored.
GATES = (
    Filter(
        name="skills",
        judge=_judge(gate_words, lambda hits: hits.any(axis=0)),
        wanted=lambda search: f"you offer {_listed(search.skills)}",
        found=_named(gate_words),
    ),
)

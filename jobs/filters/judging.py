"""What a filter is: one question, put to many searches and jobs at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Self

import numpy as np

from accounts.search_fields import FILTERS, asks
from accounts.terms import SearchTerms
from jobs.columns import Bools as Bools
from jobs.columns import Floats, Times, moment
from jobs.table import JobTable
from jobs.text.skills import gate_words
from jobs.text.words import WordIndex

When = datetime | Sequence[datetime]


@dataclass(frozen=True)
class WordHits:
    """Which of the searches' words each job names: `matrix` is words by jobs."""

    index: WordIndex
    matrix: Bools

    @classmethod
    def of(cls, searches: Sequence[SearchTerms], table: JobTable) -> Self:
        """One pass over all texts for the words of all searches."""
        index = WordIndex(word for search in searches for word in _words(search))
        return cls(index, index.hits(table.texts))

    def of_words(self, words: Sequence[str]) -> Bools:
        """The rows of `words` (those that are not blank) by jobs."""
        rows = self.index.rows(words)
        return self.matrix[rows]


def _words(search: SearchTerms) -> tuple[str, ...]:
    return search.words_any + search.words_all + search.words_none + gate_words(search)


@dataclass(frozen=True)
class Block:
    """S searches, J jobs, the words of the former in the latter, and J times it is now."""

    searches: tuple[SearchTerms, ...]
    table: JobTable
    words: WordHits
    now: Times

    @classmethod
    def of(cls, searches: Sequence[SearchTerms], table: JobTable, now: When) -> Self:
        """The block of `searches` and `table` at the aware time `now`, or at one for each job."""
        times = [now] * len(table) if isinstance(now, datetime) else now
        return cls(
            tuple(searches),
            table,
            WordHits.of(searches, table),
            np.array([moment(when) for when in times], dtype="datetime64[s]"),
        )

    def asking(self, rows: Sequence[int]) -> "Block":
        """The same jobs with only the searches at `rows`."""
        return Block(tuple(self.searches[s] for s in rows), self.table, self.words, self.now)

    def column(self, value: Callable[[SearchTerms], Decimal | float | None]) -> Floats:
        """One number per search as an (S, 1) column; nan for None."""
        numbers = [np.nan if (v := value(s)) is None else float(v) for s in self.searches]
        return np.array(numbers, dtype=np.float64)[:, None]


@dataclass(frozen=True)
class Judgement:
    """Answers that broadcast to (S, J).

    `fits` counts where the post `stated` the value.  Where it did not, the job passes if
    `lenient`, unless the search is strict about this filter.  Where the question does not
    apply (an hourly floor to a fixed budget) the job passes anyhow.
    """

    stated: Bools
    fits: Bools
    lenient: Bools | bool = True
    applies: Bools | bool = True


@dataclass(frozen=True)
class Filter:
    """One search field that can turn a job down.

    Its label, its help and what becomes of the unstated stand in `accounts.search_fields` under the
    same name.  `wanted` says what a search asks ("your floor is $35/h"), `found` what the first
    job of a block says ("the post offers up to $20/h").
    """

    name: str
    judge: Callable[[Block], Judgement]
    wanted: Callable[[SearchTerms], str]
    found: Callable[[Block], str]

    @property
    def label(self) -> str:
        """What people read."""
        return FILTERS[self.name].label

    def asked(self, search: SearchTerms) -> bool:
        """Whether the search asks for it; the gate of skills would only repeat words alone."""
        return asks(search, self.name) and (self.name != "skills" or bool(gate_words(search)))

    def passes(self, block: Block) -> Bools:
        """Which job (column) passes for which search (row), all of which ask."""
        judged = self.judge(block)
        strict = np.array([self.name in search.strict for search in block.searches])[:, None]
        unstated = ~strict & np.asarray(judged.lenient)
        answer = np.where(judged.stated, judged.fits, unstated) | ~np.asarray(judged.applies)
        return np.broadcast_to(answer, (len(block.searches), len(block.table)))

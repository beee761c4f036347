"""Which skills of a search a job names, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.scoring.offer import prepare
from jobs.table import JobTable
from jobs.text.lexical import Floats
from jobs.text.signs import SHORT_TEXT
from jobs.text.skills import gate_words
from jobs.text.words import WordIndex

Bools = NDArray[np.bool_]
Places = NDArray[np.intp]


# Names that a text means otherwise more often than not ("we go", "plan C"): only where the title
# or the tags name the skill, too.
_ALSO_WORDS: Final = frozenset({"go", "c", "r"})


@dataclass(frozen=True)
class SkillHits:
    """Which names of skills occur where, for the jobs at `cols` (ascending) of a table."""

    index: WordIndex
    cols: Places
    titles: Bools
    tags: Bools
    bodies: Bools

    @classmethod
    def of(cls, searches: Sequence[SearchTerms], table: JobTable, cols: Places) -> Self:
        """One pass over each of the jobs' texts for the skills of all searches."""
        skills = [skill for search in searches for skill in prepare(search).skills]
        index = WordIndex(word for skill in skills for word in (*skill.names, *skill.parts))
        fields = (table.titles, table.tags, table.bodies)
        return cls(index, cols, *(index.hits([field[c] for c in cols]) for field in fields))

    @classmethod
    def of_all(cls, search: SearchTerms, table: JobTable) -> Self:
        """Of all jobs of a table that is asked many times, by its index; the words that the
        search's filters ask for included."""
        skills = prepare(search).skills
        names = [word for skill in skills for word in (*skill.names, *skill.parts)]
        asked = (*search.words_any, *search.words_all, *search.words_none, *gate_words(search))
        index = WordIndex([*asked, *names])
        return cls(index, np.arange(len(table)), *table.hits(index))

    def named(self, search: SearchTerms, cols: Places) -> "Named":
        """Where each job at `cols` (which must be among ours) names each skill of `search`."""
        skills = prepare(search).skills
        at = np.searchsorted(self.cols, cols)
        names = [self.index.rows(skill.names) for skill in skills]
        plain = [self.index.rows(set(skill.names) - _ALSO_WORDS) for skill in skills]
        parts = [self.index.rows(skill.parts) for skill in skills]
        fields = (self.titles, self.tags, self.bodies)
        title, tags, body = (_any_of(matrix, names, at) for matrix in fields)
        body &= title | tags | _any_of(self.bodies, plain, at)
        near = np.logical_or.reduce([_any_of(matrix, parts, at) for matrix in fields])
        return Named(title, tags, body, near)


@dataclass(frozen=True)
class Named:
    """Skills by pairs: named in title, tags, description; or `near`, by a telling word."""

    title: Bools
    tags: Bools
    body: Bools
    near: Bools

    def only_tagged(self, text_length: Floats) -> Bools:
        """Pairs whose skills stand among the tags only, though there is a text to name them."""
        told = (self.title | self.body).any(axis=0)
        answer: Bools = self.tags.any(axis=0) & ~told & (text_length >= SHORT_TEXT)
        return answer


def _any_of(matrix: Bools, groups: Sequence[Sequence[int]], at: Places) -> Bools:
    """For each group of rows (G) and column (N): whether any of the group's rows is set."""
    answer = np.zeros((len(groups), len(at)), dtype=np.bool_)
    for g, rows in enumerate(groups):
        for row in rows:
            answer[g] |= matrix[row, at]
    return answer

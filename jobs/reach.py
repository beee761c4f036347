"""The jobs that a search lets through, or that hardly anything keeps out of it: on arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.columns import moment
from jobs.filters import FILTERS
from jobs.filters.judging import Block, Bools, Filter, WordHits
from jobs.scoring import LOW_MOST, low, points_of
from jobs.scoring.features import features
from jobs.scoring.naming import Named, SkillHits
from jobs.scoring.taste import Sway, Taste
from jobs.scoring.weights import shipped
from jobs.table import JobTable

THRESHOLD: Final = "min_score"

Floats = NDArray[np.float64]
Places = NDArray[np.intp]


def first_seen_now(table: JobTable, now: datetime) -> JobTable:
    """The same jobs with their times moved, as if each were first seen at this moment."""
    later = moment(now) - table.seen
    return replace(table, posted=table.posted + later, seen=table.seen + later)


@dataclass(frozen=True)
class Reach:
    """The N jobs at `cols` that few settings keep out: the filters that fail them (F by N), their
    points, how many settings, the threshold included, keep each out, and how a taste moved them."""

    filters: tuple[Filter, ...]
    cols: Places
    failed: Bools
    named: Named
    points: Floats
    kept_out: NDArray[np.intp]
    sway: Sway

    @classmethod
    def of(
        cls,
        search: SearchTerms,
        table: JobTable,
        now: datetime,
        *,
        most: int,
        taste: Taste | None = None,
    ) -> Self:
        """Those that at most so many filters turn down."""
        filters = _asked(search)
        words = SkillHits.of_all(search, table)
        cols, failed = _turned_down(search, filters, table, words, now, most)
        named = words.named(search, cols)
        rows = features(search, table, cols, named)
        points = points_of(rows, table, cols, shipped(), low(rows, table, cols, named))
        sway = Sway.of(taste or Taste({}), search, table, cols)
        points = sway.moved(points, low=LOW_MOST)
        kept_out = failed.sum(axis=0) + (points < search.min_score)
        return cls(filters, cols, failed, named, points, kept_out, sway)

    def in_order(self, table: JobTable) -> Places:
        """Places in `cols`: what fewest settings keep out first, then by score, then the newest."""
        newest = -table.seen[self.cols].astype(np.int64)
        return np.lexsort((self.cols, newest, -self.points, self.kept_out))

    def failing(self, pair: int) -> frozenset[str]:
        """The names of the filters that turn down the job at this place in `cols`."""
        which = np.flatnonzero(self.failed[:, pair]).tolist()
        return frozenset(self.filters[row].name for row in which)

    def alone(self) -> dict[str, int]:
        """How many jobs each setting keeps out all by itself; those that do, in their order."""
        one = self.kept_out == 1
        counts = [*(self.failed & one).sum(axis=1), (one & ~self.failed.any(axis=0)).sum()]
        names = [*(each.name for each in self.filters), THRESHOLD]
        return {name: int(n) for name, n in zip(names, counts, strict=True) if n}


def _asked(search: SearchTerms) -> tuple[Filter, ...]:
    """The search's own filters; without skills the gate of skills only repeats `words_any`."""
    return tuple(
        each for each in FILTERS if each.asked(search) and (each.name != "skills" or search.skills)
    )


def _turned_down(
    search: SearchTerms,
    filters: Sequence[Filter],
    table: JobTable,
    words: SkillHits,
    now: datetime,
    most: int,
) -> tuple[Places, Bools]:
    """The jobs that at most `most` filters turn down, and which (F by N)."""
    aged = first_seen_now(table, now) if search.posted_within_hours else table
    found = WordHits(words.index, words.titles | words.tags | words.bodies)
    block = Block((search,), aged, found, np.full(len(table), moment(now)))
    failed = np.zeros((len(filters), len(table)), dtype=np.bool_)
    for row, each in enumerate(filters):
        failed[row] = ~each.passes(block)[0]
    cols = np.flatnonzero(failed.sum(axis=0) <= most)
    return cols, failed[:, cols]

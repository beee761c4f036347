"""Texts as weighted stems in columns, and how alike a search's words and a post's are."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from jobs.text.lexicon import stem_key, stems, weight, weights_of
from jobs.text.prepared import BODY, TAGS, TITLE, Prepared

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Bag = Mapping[str, float]


def bag(text: str) -> dict[str, float]:
    """The stems of a folded text with their weights: rarity times damped repetition."""
    return {s: weight(s) * (1 + math.log(n)) for s, n in Counter(stems(text)).items()}


@dataclass(frozen=True)
class Column:
    """J bags in one array: entry k belongs to job `owners[k]` and is the stem at `places[k]`.

    `weights` are scaled so that each bag has length 1; `rarity` is the plain weight of the stem.
    """

    size: int
    owners: Places
    places: Places
    weights: Floats
    rarity: Floats

    @cached_property
    def _begins(self) -> Places:
        """Where each job's entries begin, and where the last one's end."""
        return np.searchsorted(self.owners, np.arange(self.size + 1))

    def take(self, jobs: Places) -> "Column":
        """The bags of the jobs at these places, in this order."""
        begins, counts = self._begins[jobs], np.diff(self._begins)[jobs]
        ends = np.cumsum(counts)
        entries = np.arange(counts.sum()) + np.repeat(begins - (ends - counts), counts)
        owners = np.repeat(np.arange(len(jobs)), counts)
        kept = (part[entries] for part in (self.places, self.weights, self.rarity))
        return Column(len(jobs), owners, *kept)

    def sums(self, values: Floats) -> Floats:
        """The sum of per-entry `values` for each job, 0 for an empty bag."""
        sums = np.bincount(self.owners, weights=values, minlength=self.size)
        return sums.astype(np.float64)


@dataclass(frozen=True)
class Lexical:
    """The bags of the titles, tags and descriptions of J posts over one vocabulary of stem keys."""

    vocabulary: NDArray[np.uint64]
    titles: Column
    tags: Column
    bodies: Column

    @classmethod
    def of(cls, prepared: Prepared) -> "Lexical":
        """From prepared posts."""
        vocabulary, places = np.unique(prepared.entries["stem"], return_inverse=True)
        rarity = weights_of(vocabulary)
        columns = [_column(prepared, part, places, rarity) for part in (TITLE, TAGS, BODY)]
        return cls(vocabulary, *columns)

    def take(self, jobs: Places) -> "Lexical":
        """Only the jobs at these places, over the same vocabulary."""
        columns = (self.titles, self.tags, self.bodies)
        return Lexical(self.vocabulary, *(column.take(jobs) for column in columns))

    def dense(self, query: Bag) -> Floats:
        """`query` over the vocabulary; stems no post uses are left out."""
        vector = np.zeros(len(self.vocabulary))
        if query and len(vector):
            keys = np.array([stem_key(root) for root in query], dtype=np.uint64)
            at = np.minimum(np.searchsorted(self.vocabulary, keys), len(vector) - 1)
            used = self.vocabulary[at] == keys
            vector[at[used]] = np.array(list(query.values()))[used]
        return vector


def _column(prepared: Prepared, part: int, places: Places, rarity: Floats) -> Column:
    here = prepared.entries["part"] == part
    size, owners, places = len(prepared.headers), prepared.owners[here], places[here]
    repeats = prepared.entries["repeats"][here].astype(np.float64)
    weights = rarity[places] * (1 + np.log(repeats))
    lengths = np.sqrt(np.bincount(owners, weights=weights**2, minlength=size))
    return Column(size, owners, places, weights / lengths[owners], rarity[places])


def length(query: Bag) -> float:
    """The Euclidean length of a bag; 1 for an empty one."""
    return math.sqrt(sum(w * w for w in query.values())) or 1.0


def likeness(column: Column, dense: Floats) -> Floats:
    """The product of a dense query with each job's bag: the cosine when its length is 1."""
    return column.sums(column.weights * dense[column.places])


def covered(column: Column, dense: Floats) -> Floats:
    """The share of each bag's rarity that the query's stems make up, 0 to 1."""
    total = column.sums(column.rarity)
    known = column.sums(column.rarity * (dense[column.places] > 0))
    return np.divide(known, total, out=np.zeros_like(total), where=total > 0)


def found(column: Column, dense: Floats, total: float) -> Floats:
    """The share of a query's weight (`total` in all) whose stems occur in each bag, 0 to 1."""
    return column.sums(dense[column.places]) / (total or 1.0)

"""Texts as weighted stems in columns, and how alike a search's words and a post's are."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.lexicon import stem, tokens, weight

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Bag = Mapping[str, float]

# Words that join others, or that every post uses.
_EMPTY: Final = frozenset(
    map(
        stem,
        (
            "a an and are as at be been but by can could do does for from get had has have he help "
            "her his how i if in into is it its just like looking make may me more most my need "
            "needed no not of on one only or other our out please pure she should so some such "
            "than that the their them then there these they this to up us want was we well were "
            "what when which while who will with work would you your job jobs project projects "
            "must also any all about able someone experience experienced good"
        ).split(),
    )
)


def stems(text: str) -> list[str]:
    """The stems of a folded text that mean something, in order, repeats kept."""
    return [s for s in map(stem, tokens(text)) if s not in _EMPTY]


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

    def sums(self, values: Floats) -> Floats:
        """The sum of per-entry `values` for each job, 0 for an empty bag."""
        sums = np.bincount(self.owners, weights=values, minlength=self.size)
        return sums.astype(np.float64)


class _Vocabulary(dict[str, int]):
    """Words to the places of their stems, filled as words come; place 0 means nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.stems: dict[str, int] = {"": 0}

    def __missing__(self, word: str) -> int:
        root = stem(word)
        place = 0 if root in _EMPTY else self.stems.setdefault(root, len(self.stems))
        self[word] = place
        return place


@dataclass(frozen=True)
class Lexical:
    """The bags of the titles, tags and descriptions of J posts over one vocabulary."""

    vocabulary: Mapping[str, int]
    titles: Column
    tags: Column
    bodies: Column

    @classmethod
    def of(cls, titles: Sequence[str], tags: Sequence[str], bodies: Sequence[str]) -> "Lexical":
        """From folded texts, one of each per post."""
        words = _Vocabulary()
        found = [_places(texts, words) for texts in (titles, tags, bodies)]
        rarity = np.array([weight(root) for root in words.stems], dtype=np.float64)
        columns = [_column(places, owners, rarity, len(titles)) for owners, places in found]
        return cls(words.stems, *columns)

    def dense(self, query: Bag) -> Floats:
        """`query` over the vocabulary; stems no post uses are left out."""
        vector = np.zeros(len(self.vocabulary))
        for root, value in query.items():
            vector[self.vocabulary.get(root, 0)] = value
        vector[0] = 0.0
        return vector


def _places(texts: Sequence[str], words: _Vocabulary) -> tuple[Places, Places]:
    """Owner and place of every word of every text."""
    found = [list(map(words.__getitem__, tokens(text))) for text in texts]
    owners = np.repeat(np.arange(len(texts)), [len(places) for places in found])
    return owners, np.array([place for places in found for place in places], dtype=np.intp)


def _column(places: Places, owners: Places, rarity: Floats, size: int) -> Column:
    entries, counts = np.unique(
        (owners * len(rarity) + places)[places > 0], return_counts=True, sorted=True
    )
    owners, places = np.divmod(entries, len(rarity))
    weights = rarity[places] * (1 + np.log(counts))
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

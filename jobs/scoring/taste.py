"""What a user's thumbs say of words, and how far that moves later scores: bounded and readable.

A thumb counts by the words of the job's title alone, which the ledger keeps: it stays as good when
the rest of the post is gone, and can be taken back.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.scoring.offer import prepare
from jobs.table import JobTable
from jobs.text.lexical import Column
from jobs.text.lexicon import stem, tokens, weight, word_key
from jobs.text.words import fold

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

# The bounds, in points: of words in all, of one word, of one thumb, of all words on one job.
MOST_TERMS: Final = 50
MOST_A_TERM: Final = 6.0
MOST_A_THUMB: Final = 5.0
MOST_A_JOB: Final = 15.0
MOST_THUMBS: Final = 200

# Chosen by jobs/scoring/feedback.py: docs/decisions/0009-feedback.md.
_STRENGTH, _DAMPING, _IN_TEXT = 4.0, 0.06, 0.5
# By rarity (lexicon.weight): up to the first a word tells nothing, from the second all.
_COMMON, _RARE = 3.5, 5.5
_LONGEST: Final = 30
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Thumb:
    """That a user liked (`up`) or turned down the job of this title."""

    title: str
    up: bool


@dataclass(frozen=True)
class Taste:
    """Words with the points by which each moves the score of a job that names it."""

    terms: Mapping[str, float]

    def without(self, own: Collection[str]) -> "Taste":
        """The same without words of these stems: a search may have come to speak of them."""
        kept = {word: points for word, points in self.terms.items() if stem(word) not in own}
        return self if len(kept) == len(self.terms) else Taste(kept)

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The stem keys of the terms."""
        return tuple(map(word_key, self.terms))

    @cached_property
    def points(self) -> Floats:
        """The points of the terms."""
        return np.array(list(self.terms.values()), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Examples:
    """Titles of jobs that a user liked and turned down, the newest first."""

    liked: tuple[str, ...]
    disliked: tuple[str, ...]


def own_words(searches: Iterable[SearchTerms]) -> frozenset[str]:
    """The stems that the searches speak of: these are scored already, and no thumb moves them."""
    return frozenset(root for search in searches for root in prepare(search).query)


def taste_of(thumbs: Iterable[Thumb], own: Collection[str]) -> Taste:
    """What thumbs, the newest first, come to; the strongest words first.

    A word counts by its rarity, a thumb for MOST_A_THUMB points at most.  Of many thumbs on one
    word each counts less, and opposite ones cancel.
    """
    words: dict[str, str] = {}
    sums: dict[str, float] = {}
    weights: dict[str, float] = {}
    for thumb in thumbs:
        for root, (word, share) in _shares(thumb.title, own).items():
            words.setdefault(root, word)
            sums[root] = sums.get(root, 0.0) + (share if thumb.up else -share)
            weights[root] = weights.get(root, 0.0) + share
    points = {r: _bounded(value / (1 + _DAMPING * weights[r])) for r, value in sums.items()}
    strongest = sorted((r for r in points if points[r]), key=lambda r: (-abs(points[r]), r))
    return Taste({words[root]: points[root] for root in strongest[:MOST_TERMS]})


def _bounded(points: float) -> float:
    return round(max(-MOST_A_TERM, min(MOST_A_TERM, points)), 1)


def _shares(title: str, own: Collection[str]) -> dict[str, tuple[str, float]]:
    """By stem: the word and the points that a thumb on this title gives it."""
    words: dict[str, str] = {}
    for word in tokens(fold(title)):
        if word_key(word) and not word.isdigit() and len(word) <= _LONGEST:
            words.setdefault(stem(word), word)
    told = {
        root: max(0.0, min(1.0, (weight(root) - _COMMON) / (_RARE - _COMMON))) for root in words
    }
    size = math.sqrt(sum(value * value for value in told.values())) or 1.0
    shares = {r: _STRENGTH * value**2 / size for r, value in told.items() if value and r not in own}
    scale = min(1.0, MOST_A_THUMB / (sum(shares.values()) or 1.0))
    return {root: (words[root], share * scale) for root, share in shares.items()}


@dataclass(frozen=True)
class Sway:
    """How far a taste moves N jobs: points by job and word (N by T), MOST_A_JOB a job in all."""

    words: tuple[str, ...]
    shares: Floats

    @classmethod
    def of(cls, taste: Taste, search: SearchTerms, table: JobTable, cols: Places) -> Self:
        """Of the jobs at `cols` of a table, scored for `search`, whose own words never move."""
        taste = taste.without(own_words((search,)))
        shares = _named(taste, table, cols) * taste.points
        total = np.abs(shares.sum(axis=1, keepdims=True))
        return cls(tuple(taste.terms), shares * (MOST_A_JOB / np.maximum(total, MOST_A_JOB)))

    def moved(self, scores: Floats, *, low: float) -> Floats:
        """Whole points, 0 to 100, after the move; nothing at `low` or less gets above it."""
        points = np.clip(np.round(scores + self.shares.sum(axis=1)), 0, 100)
        moved: Floats = np.where(scores <= low, np.minimum(points, low), points)
        return moved

    def reason(self, pair: int) -> tuple[str, ...]:
        """What the likes add to a job, in a sentence; none when it is less than a point."""
        return self._told("You liked jobs about", "+", pair, 1)

    def concern(self, pair: int) -> tuple[str, ...]:
        """What the dislikes take off a job, in a sentence; none when it is less than a point."""
        return self._told("You turned down jobs about", "−", pair, -1)

    def _told(self, begin: str, sign: str, pair: int, direction: int) -> tuple[str, ...]:
        amounts = np.maximum(self.shares[pair] * direction, 0)
        if (total := round(float(amounts.sum()))) < 1:
            return ()
        order = np.argsort(-amounts, kind="stable")[:_SHOWN]
        words = [self.words[term] for term in order if amounts[term]]
        return (f"{begin} {_listed(words)}: {sign}{total}",)


def _listed(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _named(taste: Taste, table: JobTable, cols: Places) -> Floats:
    """N by T: 1 where title or tags name a word, less where only the description does."""
    if not taste.terms:
        return np.zeros((len(cols), 0))
    lexical = table.lexical.take(cols)
    term_of = np.full(len(lexical.vocabulary), -1, dtype=np.intp)
    keys = np.array(taste.keys, dtype=np.uint64)
    at = np.minimum(np.searchsorted(lexical.vocabulary, keys), max(0, len(term_of) - 1))
    used = lexical.vocabulary[at] == keys if len(term_of) else np.zeros(len(keys), dtype=np.bool_)
    term_of[at[used]] = np.flatnonzero(used)
    found = np.zeros((len(cols), len(keys)))

    def note(column: Column, share: float) -> None:
        terms = term_of[column.places]
        here = terms >= 0
        found[column.owners[here], terms[here]] = share

    note(lexical.bodies, _IN_TEXT)  # first: where the title names it, too, that counts
    note(lexical.tags, 1.0)
    note(lexical.titles, 1.0)
    return found


def examples_of(thumbs: Iterable[Thumb], most: int = 6) -> Examples:
    """Up to `most` liked and as many disliked titles of thumbs, the newest first, each once."""
    titles: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for thumb in thumbs:
        if thumb.title and len(titles[thumb.up]) < most:
            titles[thumb.up].setdefault(thumb.title)
    return Examples(tuple(titles[True]), tuple(titles[False]))

"""Which of many texts name a word: found by the runs of letters and digits in both."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.words import WordIndex, is_spaced

_RUN: Final = re.compile(r"\w+")

Bools = NDArray[np.bool_]
Hashes = NDArray[np.int64]


def runs_of(text: str) -> Hashes:
    """The runs of a folded text, each once, as this process's hashes of them."""
    return np.fromiter(map(hash, set(_RUN.findall(text))), dtype=np.int64)


class RunIndex:
    """The runs of many folded texts, by run: finds words in them without reading most of them."""

    def __init__(self, texts: Sequence[str], runs: Sequence[Hashes]) -> None:
        every = np.concatenate([*runs, np.empty(0, dtype=np.int64)])
        owners = np.repeat(np.arange(len(runs)), [len(each) for each in runs])
        order = np.argsort(every, kind="stable")
        self._texts = texts
        self._owners = owners[order]
        self._hashes, begins = np.unique(every[order], return_index=True)
        self._begins = np.append(begins, len(every))
        self._odd = np.array([*map(_is_odd, texts)], dtype=np.bool_)

    def hits(self, index: WordIndex) -> Bools:
        """What `index.hits(texts)` gives: which pattern (row) occurs in which text (column).

        A word that is one run occurs where that run is.  Phrases, and texts in which a run may be
        part of a longer word, are read; of words without plain letters nothing is known before.
        """
        matrix = np.zeros((len(index.patterns), len(self._texts)), dtype=np.bool_)
        read = np.zeros(len(self._texts), dtype=np.bool_)
        for row, pattern in enumerate(index.patterns):
            runs = _RUN.findall(pattern)
            if not runs or not _is_plain(pattern):
                read[:] = True
            elif runs == [pattern] and len(pattern) > 1:
                matrix[row, self._having(pattern)] = True
            else:
                read |= np.logical_and.reduce([self._mask(run) for run in runs])
        read |= self._odd & matrix.any(axis=0)
        places = np.flatnonzero(read)
        matrix[:, places] = index.hits([self._texts[place] for place in places.tolist()])
        return matrix

    def _mask(self, run: str) -> Bools:
        mask = np.zeros(len(self._texts), dtype=np.bool_)
        mask[self._having(run)] = True
        return mask

    def _having(self, run: str) -> NDArray[np.intp]:
        key = hash(run)
        at = int(np.searchsorted(self._hashes, key))
        if at == len(self._hashes) or self._hashes[at] != key:
            return self._owners[:0]
        return self._owners[self._begins[at] : self._begins[at + 1]]


def _is_odd(text: str) -> bool:
    """Whether a run may be part of a longer word: `c#`, `notepad++`, a letter with a mark."""
    return "#" in text or "++" in text or (not text.isascii() and not _is_markless(text))


def _is_markless(text: str) -> bool:
    return all(unicodedata.category(char)[0] != "M" for char in set(text))


def _is_plain(pattern: str) -> bool:
    """Whether all its letters belong to scripts with blanks between words, without marks."""
    return pattern.isascii() or (all(map(is_spaced, pattern)) and _is_markless(pattern))

"""Whole words and phrases in many texts at once, in any case and script."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import ahocorasick
import numpy as np
from numpy.typing import NDArray

# Zero-width and bidi marks, soft hyphens and the Arabic tatweel change looks, not words.
_INVISIBLE: Final = re.compile("[\u00ad\u0640\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DASHES: Final = re.compile("[-_\u2010-\u2015\u2212]")
_QUOTES: Final = re.compile("[\u2018\u2019\u02bc]")

# Scripts written without spaces: a word may begin or end anywhere.
_UNSPACED: Final = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x9FFF),  # Han
    (0x20000, 0x3FFFF),  # Han, rarer
)


def fold(text: str) -> str:
    """`text` in the form in which words are compared.

    Compatibility forms and case are folded (Unicode NFKC and casefold), invisible marks go,
    dashes and underscores become spaces and any run of white space one space, so that
    `Cold-calling` is `cold calling`.  Folding twice changes nothing.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = unicodedata.normalize("NFKC", text.casefold())
        text = _QUOTES.sub("'", _INVISIBLE.sub("", text))
        text = text.replace("i\u0307", "i").replace("\u0131", "i")  # Turkish I, dotted or not
    text = _DASHES.sub(" ", text.lower() if text.isascii() else text)
    text = text.replace("asp.net", "asp .net").replace("vb.net", "vb .net")
    return " ".join(text.split())


def _is_word(char: str) -> bool:
    """Letters, digits, and the marks that combine with them (Indic vowels, Arabic points)."""
    return char.isalnum() or (char > "\u02ff" and unicodedata.category(char)[0] == "M")


def is_spaced(char: str) -> bool:
    """Whether the script of a letter puts blanks between words."""
    code = ord(char)
    return code < 0x0E00 or not any(low <= code <= high for low, high in _UNSPACED)


def _joined(before: str, after: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    return _is_word(before) and _is_word(after) and (is_spaced(before) or is_spaced(after))


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` stands alone: `c` does not in `c++`, nor `.net` in `foo.net`."""
    first, last = text[start], text[end - 1]
    if start and (
        _joined(text[start - 1], first) or (first in ".#+" and text[start - 1].isalnum())
    ):
        return False
    if end < len(text):
        after = text[end]
        if _joined(last, after) or (after == "+" and text[end : end + 2] == "++"):
            return False
        if end - start == 1 and (after in "#&'+" or (start and text[start - 1] in "&'")):
            return False
        if after == "#" and last.isalnum() and not text[end + 1 : end + 2].isalnum():
            return False
    return True


class WordIndex:
    """Many words and phrases, looked for together.

    Patterns are folded; blank ones and repeats are dropped.  Building it costs one pass over
    the patterns, searching one pass over each text, however many patterns there are.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns: tuple[str, ...] = tuple(dict.fromkeys(filter(None, map(fold, patterns))))
        self._rows = {pattern: row for row, pattern in enumerate(self.patterns)}
        self._automaton = ahocorasick.Automaton()
        for row, pattern in enumerate(self.patterns):
            self._automaton.add_word(pattern, (row, len(pattern)))
        if self.patterns:
            self._automaton.make_automaton()

    def row(self, pattern: str) -> int | None:
        """The row of `pattern` in the matrix of hits; None when it is blank or unknown."""
        return self._rows.get(fold(pattern))

    def rows(self, patterns: Iterable[str]) -> list[int]:
        """The rows of those `patterns` that are known, in order."""
        return [row for row in map(self.row, patterns) if row is not None]

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Every whole occurrence in the folded `text`: (row of the pattern, where it starts)."""
        if not self.patterns:
            return
        for last, (row, length) in self._automaton.iter(text):
            if _is_whole(text, last + 1 - length, last + 1):
                yield row, last + 1 - length

    def named(self, text: str) -> set[int]:
        """The rows of the patterns that occur in the folded `text`."""
        found: set[int] = set()
        if self.patterns:
            for last, (row, length) in self._automaton.iter(text):
                if row not in found and _is_whole(text, last + 1 - length, last + 1):
                    found.add(row)
        return found

    def hits(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Which pattern (row) occurs in which folded text (column)."""
        matrix = np.zeros((len(self.patterns), len(texts)), dtype=np.bool_)
        for column, text in enumerate(texts):
            for row in self.named(text):
                matrix[row, column] = True
        return matrix

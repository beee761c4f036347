"""Words cut to stems, and how common each stem is in freelance posts.

The counts (lexicon.json) come from `python -m jobs.scoring.train`: stems and numbers only.
"""

import json
import math
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEXICON: Final = Path(__file__).with_name("lexicon.json")
COMMON_SHARE: Final = 0.03

# `c++`, `c#`, `.net` and `node.js` are words; `work.We` (a lost blank) is two.
_TOKEN: Final = re.compile(r"\.net\b|\w+\.(?:js|io|ai)\b|\w+(?:\+\+|#)?")
_ENDINGS: Final = (
    "ations",
    "ation",
    "ators",
    "ator",
    "ating",
    "ated",
    "ates",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ers",
    "ors",
    "ies",
    "ed",
    "er",
    "or",
    "es",
    "e",
    "s",
    "y",
)
_KEPT: Final = frozenset(
    "engineer engineers engineering series business news address access process express".split()
)


def tokens(text: str) -> list[str]:
    """The words of a folded text, in order."""
    return _TOKEN.findall(text)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """`word` without one English ending, so that translate, translator, translations agree."""
    if word.startswith("engineer"):
        return "engineer"
    if len(word) < 5 or not word.isalpha() or not word.isascii() or word in _KEPT:
        return word[:-1] if len(word) == 4 and word[-1] == "s" and word[-2] not in "su" else word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            if ending == "s" and word[-2] in "su":
                return word
            return word[: -len(ending)]
    return word


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


@cache
def _counts() -> tuple[int, Mapping[str, int]]:
    data = json.loads(LEXICON.read_text(encoding="utf-8"))
    return data["posts"], data["stems"]


def share(word: str) -> float:
    """The share of posts (0-1) that name `word` in any of its forms; 0 when rare."""
    posts, counts = _counts()
    return counts.get(stem(word), 0) / posts


def is_common(word: str) -> bool:
    """Whether so many posts name `word` that it tells little by itself."""
    return share(word) >= COMMON_SHARE


def weight(word_stem: str) -> float:
    """How much a stem tells: the logarithm of how rare it is (its inverse document frequency)."""
    posts, counts = _counts()
    return math.log((posts + 1) / (counts.get(word_stem, 1) + 0.5))


@lru_cache(maxsize=200_000)
def stem_key(word_stem: str) -> int:
    """A stem as a number of 64 bits, the same on every machine."""
    return int.from_bytes(blake2b(word_stem.encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=200_000)
def word_key(word: str) -> int:
    """The `stem_key` of a word's stem; 0 for a word that means nothing."""
    root = stem(word)
    return 0 if root in _EMPTY else stem_key(root)


@cache
def _weights() -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The keys of the counted stems, ascending, and their weights."""
    rows = sorted((stem_key(root), weight(root)) for root in _counts()[1])
    return np.array([k for k, _ in rows], dtype=np.uint64), np.array([w for _, w in rows])


def weights_of(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The `weight` of the stems of these keys."""
    known, found = _weights()
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return np.where(known[at] == keys, found[at], weight(""))

"""Fingerprints: a key that must be equal, and a sketch from which likeness is estimated."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.fingerprints.wording import body_root, title_core, words

# Measured in docs/decisions/0005: how much of two descriptions must be the same, and the pairs of
# words below which a change of one may be the whole difference, so that nothing may change.
ALIKE: Final = 0.7
LEAST_PAIRS: Final = 30
# Below so many words of description nobody can tell two posts apart, or the same.
LEAST_WORDS: Final = 5

_SIZE: Final = 128
_EXACT: Final = b""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One text: a signed 64-bit key, and the lowest 128 of the hashes of its pairs of words, as
    ascending four-byte numbers, or none where only equality counts.

    The same in every process and for ever: both are stored.
    """

    key: int
    sketch: bytes


def fingerprint(marketplace: str, title: str, description: str) -> Fingerprint | None:
    """The fingerprint of a cleaned text in its market; None where there is too little of it."""
    lowest = _lowest(description)
    if lowest is not None:
        return Fingerprint(_key("like", marketplace, *sorted(title_core(title))), lowest)
    body = words(description)
    if len(body) < LEAST_WORDS:
        return None
    return Fingerprint(_key("equal", marketplace, *words(title), "", *body), _EXACT)


def same_text(one: Fingerprint, other: Fingerprint) -> bool:
    """Whether a reader would call these one text, posted twice."""
    if one.key != other.key:
        return False
    return one.sketch == other.sketch or likeness(one.sketch, other.sketch) >= ALIKE


def likeness(one: bytes, other: bytes) -> float:
    """The share of pairs of neighbouring words that two descriptions have in common (Jaccard).

    Exact where they have 128 pairs together, else estimated from the lowest 128 hashes of both
    (Broder 1997), off by 0.04 or less two times in three.
    """
    a, b = np.frombuffer(one, "<u4"), np.frombuffer(other, "<u4")
    lowest = np.union1d(a, b)[:_SIZE]
    common = np.intersect1d(a, b, assume_unique=True)
    return float(np.isin(lowest, common, assume_unique=True).mean()) if len(lowest) else 0.0


def _lowest(description: str) -> bytes | None:
    """The sketch of a description; None when it has too few pairs of words."""
    hashes = np.frombuffer(b"".join(map(_hashes, description.lower().split())), ">u8")
    if len(hashes) <= LEAST_PAIRS:
        return None
    hashes = hashes.astype(np.uint64)
    pairs = _mixed(hashes[:-1], hashes[1:])
    pairs.sort()  # half of what numpy's `unique` takes
    pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])]
    return pairs[:_SIZE].astype("<u4").tobytes() if len(pairs) >= LEAST_PAIRS else None


def _mixed(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A 32-bit hash of each pair, in its order (the multiplier is 2 to the 64th by the golden
    ratio, as in Knuth's multiplicative hashing)."""
    both = (first ^ (second >> np.uint64(1))) * np.uint64(0x9E3779B97F4A7C15)
    return both >> np.uint64(32)


def _key(*parts: str) -> int:
    return int.from_bytes(_digest("\x1f".join(parts)), "big", signed=True)


@lru_cache(maxsize=100_000)
def _hashes(piece: str) -> bytes:
    """The hashes, of eight bytes, of what the words between two spaces of a description say.

    Pieces repeat: remembered, they cost a third of what finding the words anew costs.  Most are
    one plain word, which folding leaves as it is.
    """
    bare = piece.lstrip('("').rstrip(',.;:!?)"')
    found = (bare,) if bare.isascii() and bare.isalnum() else words(piece)
    return b"".join(map(_hash, found))


@lru_cache(maxsize=100_000)
def _hash(word: str) -> bytes:
    """A word's hash, none of one that says nothing: pieces differ more than their words do."""
    root = body_root(word)
    return _digest(root) if root else b""


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()

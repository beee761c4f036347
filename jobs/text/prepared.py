"""What scoring needs of a post's words: worked out once, kept as bytes, read in bulk."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from jobs.text.crafts import CRAFT_MASKS, crafts_of
from jobs.text.latent import DIMENSIONS, latent_of_counts
from jobs.text.lexicon import tokens, word_key
from jobs.text.signs import demanded_languages, flags_of
from jobs.text.tongues import LANGUAGE_MASKS, spoken_of

# Grows with every change of what the bytes mean: rows of another version are prepared anew.
VERSION: Final = 3

TITLE, TAGS, BODY = range(3)
_MOST_REPEATS: Final = 255
_MOST_TAGS: Final = 65_535

# `latent` is the direction of the whole post, `latent_head` that of title and tags.
HEADER: Final = np.dtype(
    [
        ("version", "u1"),
        ("flags", "u1"),
        ("title_crafts", "<u2"),
        ("tag_count", "<u2"),
        ("text_length", "<u4"),
        ("title_languages", "<u8"),
        ("text_languages", "<u8"),
        ("demanded", "<u8"),
        ("entries", "<u4"),
        ("latent", "i1", DIMENSIONS),
        ("latent_head", "i1", DIMENSIONS),
    ]
)
ENTRY: Final = np.dtype([("stem", "<u8"), ("repeats", "u1"), ("part", "u1")])


def prepare_post(title: str, tags: str, body: str) -> bytes:
    """The prepared form of a post given by its folded title, tags (one a line) and description.

    It begins with VERSION; the rest holds stems (as keys), how often each occurs in which part,
    and the post's signs.  It is made of the text: where a text must go, it goes too.
    """
    head = f"{title} {body}"
    entries = _entries((title, tags, body))
    header = (
        VERSION,
        flags_of(title, head),
        CRAFT_MASKS.of(crafts_of(title)),
        min(tags.count("\n") + 1, _MOST_TAGS) if tags else 0,
        len(body),
        LANGUAGE_MASKS.of(spoken_of(title)),
        LANGUAGE_MASKS.of(spoken_of(f"{title}\n{tags}\n{body}")),
        LANGUAGE_MASKS.of(demanded_languages(head)),
        len(entries),
        _latent(entries),
        _latent(entries[entries["part"] < BODY]),
    )
    return np.array([header], dtype=HEADER).tobytes() + entries.tobytes()


def _entries(parts: Sequence[str]) -> NDArray[Any]:
    counts = [Counter(map(word_key, tokens(text))) for text in parts]
    for count in counts:
        count.pop(0, None)
    entries = np.empty(sum(map(len, counts)), dtype=ENTRY)
    entries["stem"] = [key for count in counts for key in count]
    entries["repeats"] = [min(n, _MOST_REPEATS) for count in counts for n in count.values()]
    entries["part"] = np.repeat(range(len(counts)), [*map(len, counts)])
    return entries


def _latent(entries: NDArray[Any]) -> NDArray[np.int8]:
    keys, places = np.unique(entries["stem"], return_inverse=True)
    counts = np.bincount(places, weights=entries["repeats"], minlength=len(keys))
    return latent_of_counts(keys, counts.astype(np.float64))


def is_current(prepared: bytes | None) -> TypeGuard[bytes]:
    """Whether these bytes are of this VERSION."""
    return prepared is not None and prepared[:1] == bytes([VERSION])


@dataclass(frozen=True)
class Prepared:
    """J prepared posts as arrays: a HEADER each, and their ENTRYs with whose they are."""

    headers: NDArray[Any]
    entries: NDArray[Any]
    owners: NDArray[np.intp]

    @classmethod
    def of(cls, rows: Sequence[bytes]) -> Self:
        """From what `prepare_post` gave for each post."""
        size = HEADER.itemsize
        headers = np.frombuffer(b"".join([row[:size] for row in rows]), dtype=HEADER)
        entries = np.frombuffer(b"".join([row[size:] for row in rows]), dtype=ENTRY)
        return cls(headers, entries, np.repeat(np.arange(len(rows)), headers["entries"]))

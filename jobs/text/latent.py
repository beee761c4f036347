"""Texts by what they are about: latent semantics of the words that posts use together.

The table (latent.npz) comes from `python -m jobs.scoring.train`: the strongest DIMENSIONS of how
4,022 posts use their stems (Deerwester et al., "Indexing by Latent Semantic Analysis", 1990).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.text.lexicon import stem_key, weights_of

TABLE: Final = Path(__file__).with_name("latent.npz")
DIMENSIONS: Final = 100
# Vectors of length 1 are kept as whole numbers, this many to 1.
SCALE: Final = 127

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]
Bytes = NDArray[np.int8]


@cache
def _table() -> tuple[Keys, Bytes]:
    """Stem keys, ascending, and a row of DIMENSIONS for each."""
    with np.load(TABLE) as stored:
        return stored["stems"], stored["rows"]


def latent_of(keys: Keys, weights: Floats) -> Floats:
    """The direction (length 1) of a bag: stem keys and their weights; all 0 for unknown stems."""
    known, rows = _table()
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    here = known[at] == keys
    vector: Floats = weights[here] @ rows[at[here]].astype(np.float64)
    return vector / (np.linalg.norm(vector) or 1.0)


def latent_of_bag(bag: Mapping[str, float]) -> Floats:
    """The direction of a bag of stems."""
    keys = np.array([stem_key(root) for root in bag], dtype=np.uint64)
    return latent_of(keys, np.array(list(bag.values()), dtype=np.float64))


def latent_of_counts(keys: Keys, counts: Floats) -> Bytes:
    """The direction of a text by how often it uses each stem, as whole numbers, SCALE to 1."""
    vector = latent_of(keys, weights_of(keys) * (1 + np.log(counts)))
    return np.round(SCALE * vector).astype(np.int8)


def learn(bags: Sequence[Mapping[str, float]], stems: Sequence[str]) -> tuple[Keys, Bytes]:
    """The table (stem keys, rows) from bags over `stems`, by subspace iteration.

    The start is fixed, so the same bags give the same table.
    """
    places = {root: place for place, root in enumerate(stems)}
    matrix = np.zeros((len(bags), len(stems)), dtype=np.float32)
    for row, bag in zip(matrix, bags, strict=True):
        for root, value in bag.items():
            if root in places:
                row[places[root]] = value
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
    basis = np.random.default_rng(0).standard_normal((len(stems), DIMENSIONS + 20))
    for _ in range(12):
        basis, _ = np.linalg.qr(matrix.T @ (matrix @ basis.astype(np.float32)))
    _, _, turn = np.linalg.svd(matrix @ basis.astype(np.float32), full_matrices=False)
    rows = (basis @ turn.T)[:, :DIMENSIONS]
    keys = np.array([stem_key(root) for root in stems], dtype=np.uint64)
    order = np.argsort(keys)
    scaled = np.round(SCALE * rows / np.abs(rows).max(axis=0))
    return keys[order], scaled.astype(np.int8)[order]

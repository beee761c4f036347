"""The shipped weights of the scorer: learned by `python -m jobs.scoring.train`, kept readable."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from jobs.scoring.features import NAMES

WEIGHTS: Final = Path(__file__).with_name("score_weights.json")
SHIPPED_THRESHOLD: Final = 70
# Scores keep apart at the top: log-odds are flattened before they become 0-100.
_SLOPE: Final = 0.6

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """A logistic model: log-odds are `bias` plus the weighted features, each about its `middle`.

    `weight` is per unit of the feature; log-odds of `cut` become the score 70.
    """

    middle: Floats
    weight: Floats
    bias: float
    cut: float

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Self:
        """From the file's object; raises ValueError when its features are not ours."""
        rows = data["features"]
        if not isinstance(rows, dict) or tuple(rows) != NAMES:
            raise ValueError(
                "score_weights.json does not hold the features of jobs.scoring.features"
            )
        middle, weight = np.array([[row["middle"], row["weight"]] for row in rows.values()]).T
        return cls(middle, weight, float(str(data["bias"])), float(str(data["cut"])))

    def log_odds(self, features: Floats) -> Floats:
        """The log-odds (N) of a good fit for N rows of features."""
        found: Floats = ((features - self.middle) * self.weight).sum(axis=1) + self.bias
        return found

    def points(self, log_odds: Floats) -> Floats:
        """Scores 0-100, not rounded: 70 at the cut."""
        at_cut = math.log(SHIPPED_THRESHOLD / (100 - SHIPPED_THRESHOLD))
        return 100 / (1 + np.exp(-(at_cut + _SLOPE * (np.round(log_odds, 9) - self.cut))))


@cache
def shipped() -> Weights:
    """The weights that come with the project."""
    return Weights.from_json(json.loads(WEIGHTS.read_text(encoding="utf-8")))

"""How well scores order judged pairs, and what alerts at a threshold come to."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.scoring.weights import SHIPPED_THRESHOLD

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

GOOD: Final = 2
# What a filter keeps out keeps this share of its score: below what passes, in the same order.
KEPT_OUT: Final = 0.3


@dataclass(frozen=True, slots=True)
class Ranked:
    """How one profile's pairs are ordered, each 0 to 1; nan where nothing was worth finding.

    `best_f1` is that of the threshold which is best for this profile alone.
    """

    pairs: int
    good: int
    ndcg: float
    precision: float
    best_f1: float


@dataclass(frozen=True, slots=True)
class Alerts:
    """What a threshold tells: each a share of 0 to 1; `bad` is that of grade 0 in what is told."""

    threshold: float
    f1: float
    precision: float
    recall: float
    bad: float


def table(found: Mapping[str, Ranked]) -> Iterator[str]:
    """A heading, one line per profile, and their means."""
    wide = max(map(len, ["profile", *found]))
    yield f"{'profile':{wide}} {'n':>4} {'good':>4} {'nDCG@10':>8} {'AP':>6} {'best F1':>8}"
    for name, each in found.items():
        yield (
            f"{name:{wide}} {each.pairs:4} {each.good:4} {each.ndcg:8.3f} {each.precision:6.3f}"
            f" {each.best_f1:8.3f}"
        )
    ndcg10, precision, best = means(found.values())
    yield f"mean nDCG@10 {ndcg10:.3f}, AP {precision:.3f}, best F1 {best:.3f}"


def means(found: Collection[Ranked]) -> tuple[float, float, float]:
    """The means of nDCG@10, average precision and best F1, each over the profiles that have one."""
    columns = zip(*((each.ndcg, each.precision, each.best_f1) for each in found), strict=True)
    told = [[value for value in column if not math.isnan(value)] for column in columns]
    ndcg10, precision, best = (
        math.fsum(values) / len(values) if values else math.nan for values in told or [[]] * 3
    )
    return ndcg10, precision, best


def ranked(points: Floats, grades: Places) -> Ranked:
    """How well the points order one profile's pairs."""
    return Ranked(
        pairs=len(grades),
        good=int((grades >= GOOD).sum()),
        ndcg=ndcg(points, grades),
        precision=average_precision(points, grades),
        best_f1=best(points, grades).f1,
    )


def ndcg(points: Floats, grades: Places, top: int = 10) -> float:
    """Discounted gain (2^grade - 1) of the first `top`, ties the worst way; nan without gain."""

    def gain(ordered: Sequence[int]) -> float:
        return math.fsum((2.0**g - 1) / math.log2(i + 2) for i, g in enumerate(ordered[:top]))

    best = gain(sorted(grades.tolist(), reverse=True))
    return gain(grades[np.lexsort((grades, -points))].tolist()) / best if best else math.nan


def average_precision(points: Floats, grades: Places) -> float:
    """The mean precision at each good pair, ties the worst way; nan without good pairs."""
    good = grades[np.lexsort((grades, -points))] >= GOOD
    places = np.flatnonzero(good) + 1
    return float(np.mean(np.arange(1, len(places) + 1) / places)) if len(places) else math.nan


def alerts(points: Floats, grades: Places, threshold: float = SHIPPED_THRESHOLD) -> Alerts:
    """What comes of telling every pair at or above the threshold; 0 where there is no share."""
    told, good = points >= threshold, grades >= GOOD
    right, count = int((told & good).sum()), int(told.sum())
    return Alerts(
        threshold=float(threshold),
        f1=2 * right / max(1, count + int(good.sum())),
        precision=right / max(1, count),
        recall=right / max(1, int(good.sum())),
        bad=int((told & (grades == 0)).sum()) / max(1, count),
    )


def best(points: Floats, grades: Places) -> Alerts:
    """The alerts at the threshold with the highest F1; of equal ones the highest threshold."""
    found = [alerts(points, grades, threshold) for threshold in np.unique(points).tolist()]
    return max(found, key=lambda each: (each.f1, each.threshold), default=Alerts(0, 0, 0, 0, 0))


def alerting(points: Floats, grades: Places) -> str:
    """F1, precision, recall and the share of grade 0 at the shipped threshold, as words."""
    return in_words(alerts(points, grades))


def in_words(found: Alerts) -> str:
    """Alerts as a line of numbers."""
    return (
        f"F1 {found.f1:.3f}, precision {found.precision:.3f}, "
        f"recall {found.recall:.3f}, grade-0 alerts {found.bad:.3f}"
    )

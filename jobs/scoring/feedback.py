"""Measures what thumbs are good for: `python -m jobs.scoring.feedback DIR [--seeds N]`.

DIR holds judged pairs, as for `jobs.scoring.train`.  On one half of a profile's pairs thumbs are
given (up for grades 2 and 3, down for 0), and the other half is scored without and with them, by
weights that never saw the profile.  Once with every thumb, and once with those only that a user
could give: on jobs that would have been mailed.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.scoring import LOW_MOST, judged
from jobs.scoring.judged import Judged
from jobs.scoring.measuring import GOOD, KEPT_OUT, alerts, average_precision, ndcg
from jobs.scoring.taste import Sway, Thumb, own_words, taste_of
from jobs.scoring.train import leave_one_out, seen_by
from jobs.scoring.weights import SHIPPED_THRESHOLD

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

SEEDS: Final = 40
MEASURES: Final = ("nDCG@10", "AP", "F1 at 70", "grade-0 alerts")


@dataclass(frozen=True)
class Trial:
    """The judged pairs, their points without thumbs (all filters passed or not), and which pass."""

    cases: Judged
    points: Floats
    passed: NDArray[np.bool_]

    @classmethod
    def of(cls, cases: Judged) -> "Trial":
        """With weights learned from the other profiles."""
        seen = seen_by(cases)
        told = leave_one_out(cases, seen)
        return cls(cases, np.where(seen.passed, told, np.round(told / KEPT_OUT)), seen.passed)

    def told(self, pairs: Places, points: Floats) -> Floats:
        """These points of the pairs as the measures see them: a share where a filter fails."""
        return np.where(self.passed[pairs], points, points * KEPT_OUT)

    def with_thumbs(self, thumbed: Places, others: Places) -> Floats:
        """The points of `others`, pairs of one profile, after thumbs on `thumbed` of the same."""
        cases = self.cases
        thumbs = [
            Thumb(cases.table.postings[cases.cols[pair]].title, bool(cases.grades[pair] >= GOOD))
            for pair in thumbed
            if cases.grades[pair] != GOOD - 1
        ]
        search = cases.searches[cases.rows[others[0]]]
        taste = taste_of(thumbs, own_words([search]))
        sway = Sway.of(taste, search, cases.table, cases.cols[others])
        return sway.moved(self.points[others], low=LOW_MOST)

    def run(self, seed: int, *, mailed: bool) -> tuple[Floats, Floats]:
        """MEASURES without and with thumbs for one way of halving; `mailed`: only on such jobs."""
        rng = np.random.default_rng(seed)
        tested, before, after = [], [], []
        for profile in range(len(self.cases.searches)):
            pairs = rng.permutation(np.flatnonzero(self.cases.rows == profile))
            thumbed, others = pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]
            if mailed:
                good = self.told(thumbed, self.points[thumbed]) >= SHIPPED_THRESHOLD
                thumbed = thumbed[good]
            tested.append(self.cases.grades[others])
            before.append(self.told(others, self.points[others]))
            after.append(self.told(others, self.with_thumbs(thumbed, others)))
        return _measured(before, tested), _measured(after, tested)


def _measured(points: list[Floats], grades: list[Places]) -> Floats:
    """MEASURES: means over profiles, then those of all pairs together."""
    pairs = list(zip(points, grades, strict=True))
    order = [
        np.nanmean([measure(*pair) for pair in pairs]) for measure in (ndcg, average_precision)
    ]
    found = alerts(np.concatenate(points), np.concatenate(grades))
    return np.array([*order, found.f1, found.bad])


def compared(trial: Trial, *, seeds: int, mailed: bool) -> tuple[Floats, Floats, Floats]:
    """Means of MEASURES without and with thumbs, and the share of halvings that thumbs improve."""
    runs = [trial.run(seed, mailed=mailed) for seed in range(seeds)]
    before, after = (np.array(side) for side in zip(*runs, strict=True))
    better = (after - before) * [1, 1, 1, -1] > 0
    return before.mean(axis=0), after.mean(axis=0), better.mean(axis=0)


def report(trial: Trial, *, seeds: int) -> Iterator[str]:
    """The figures in lines."""
    for mailed, label in ((False, "thumbs on every other pair"), (True, "on mailed jobs only")):
        yield f"{label}, {seeds} halvings"
        before, after, better = compared(trial, seeds=seeds, mailed=mailed)
        for name, old, new, share in zip(MEASURES, before, after, better, strict=True):
            yield f"  {name:15} {old:.4f} -> {new:.4f} ({new - old:+.4f}), better in {share:.0%}"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args()
    trial = Trial.of(judged.read(options.directory, datetime.now(UTC)))
    for line in report(trial, seeds=options.seeds):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()

"""Learns the scorer's weights from judged pairs: `python -m jobs.scoring.train DIR [--write]`.

DIR holds profiles.jsonl, labels.jsonl and jobs.jsonl.gz.  Prints measures in which each profile
is scored by weights learned from the others only.  `--write` replaces jobs/text/lexicon.json,
jobs/text/latent.npz and jobs/scoring/score_weights.json; of the posts' texts they keep stems and
numbers only.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.filters import passing
from jobs.scoring import judged, low, points_of, weights
from jobs.scoring.features import NAMES, features
from jobs.scoring.judged import Judged, measures
from jobs.scoring.measuring import GOOD, KEPT_OUT
from jobs.scoring.naming import SkillHits
from jobs.scoring.weights import Weights
from jobs.table import JobTable
from jobs.text import latent, lexicon
from jobs.text.lexical import bag

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Places = NDArray[np.intp]

# What a grade is worth as a target: 2 (good fit) nearly as much as 3, 1 (marginal) a little.
_TARGETS: Final = np.array([0.0, 0.2, 0.8, 1.0])
_RIDGE: Final = 20.0
_FEWEST, _LONGEST = 4, 30


def count_stems(table: JobTable) -> dict[str, object]:
    """How many posts use each stem, rare ones, numbers and monsters left out."""
    counts: Counter[str] = Counter()
    for text in table.texts:
        counts.update(set(map(lexicon.stem, lexicon.tokens(text))))
    kept = {root: n for root, n in sorted(counts.items()) if n >= _FEWEST and _is_word(root)}
    return {"posts": len(table), "stems": kept}


def learn_latent(table: JobTable) -> None:
    """Write the table of latent semantics (jobs/text/latent.py) of these posts."""
    bags = [bag(text) for text in table.texts]
    counts = Counter(root for each in bags for root in each)
    kept = [root for root, n in sorted(counts.items()) if n > _FEWEST and _is_word(root)]
    keys, rows = latent.learn(bags, kept)
    np.savez_compressed(latent.TABLE, stems=keys, rows=rows)


def _is_word(root: str) -> bool:
    return len(root) < _LONGEST and not root.isdigit()


def fit(rows: Floats, targets: Floats) -> Weights:
    """Logistic regression on standardised features with a ridge, by Newton's method."""
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    design = np.column_stack([(rows - middle) / spread, np.ones(len(rows))])
    ridge = np.diag([_RIDGE] * rows.shape[1] + [1e-6])
    found = np.zeros(design.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ found))
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + ridge
        step = np.linalg.solve(curve, design.T @ (targets - chance) - ridge @ found)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    return Weights(middle, found[:-1] / spread, float(found[-1]), 0.0)


def with_cut(model: Weights, rows: Floats, good: NDArray[np.bool_]) -> Weights:
    """The model with the middle of the cuts whose F1 is within 0.5 % of the best on `rows`."""
    odds = model.log_odds(rows)
    cuts = np.arange(-2.0, 2.0, 0.05)
    f1 = np.array([2 * (good & (odds >= c)).sum() / (good.sum() + (odds >= c).sum()) for c in cuts])
    best = cuts[f1 >= f1.max() * 0.995]
    return Weights(model.middle, model.weight, model.bias, round(float(np.median(best)), 3))


@dataclass(frozen=True)
class Seen:
    """Of every judged pair: whether all filters pass it, and all but the gate of skills (these are
    learned from), its features, and whether it is kept low."""

    passed: Bools
    learned: Bools
    rows: Floats
    low: Bools


def seen_by(cases: Judged) -> Seen:
    """What the scorer sees of the judged pairs."""
    now = datetime.now(UTC)
    passed = passing(cases.searches, cases.table, now)[cases.rows, cases.cols]
    ungated = passing(cases.searches, cases.table, now, gated=False)[cases.rows, cases.cols]
    hits = SkillHits.of(cases.searches, cases.table, np.unique(cases.cols))
    rows = np.zeros((len(cases.grades), len(NAMES)))
    kept_low = np.zeros(len(cases.grades), dtype=np.bool_)
    for s, search in enumerate(cases.searches):
        mine = np.flatnonzero(cases.rows == s)
        cols = cases.cols[mine]
        named = hits.named(search, cols)
        rows[mine] = features(search, cases.table, cols, named)
        kept_low[mine] = low(rows[mine], cases.table, cols, named)
    return Seen(passed, ungated, rows, kept_low)


def leave_one_out(cases: Judged, seen: Seen) -> Floats:
    """The points of every pair by weights that never saw its profile; filtered pairs a share."""
    points = np.zeros(len(seen.rows))
    for s in range(len(cases.searches)):
        mine, others = cases.rows == s, (cases.rows != s) & seen.learned
        model = trained(seen.rows[others], cases.grades[others])
        points[mine] = points_of(
            seen.rows[mine], cases.table, cases.cols[mine], model, seen.low[mine]
        )
    return np.where(seen.passed, points, points * KEPT_OUT)


def trained(rows: Floats, grades: Places) -> Weights:
    """The weights learned from these features and grades, with their cut."""
    return with_cut(fit(rows, _TARGETS[grades]), rows, grades >= GOOD)


def as_json(model: Weights) -> dict[str, object]:
    """The file's object: middles and weights by feature, rounded for reading."""
    pairs = zip(NAMES, model.middle, model.weight, strict=True)
    return {
        "about": "Written by python -m jobs.scoring.train; "
        "log-odds = bias + sum(weight * (x - middle)).",
        "bias": round(model.bias, 4),
        "cut": model.cut,
        "features": {
            name: {"middle": round(float(middle), 4), "weight": round(float(weight), 4)}
            for name, middle, weight in pairs
        },
    }


def main() -> None:
    """Trains, prints, and with `--write` ships."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = judged.read(options.directory, datetime.now(UTC))
    if options.write:
        text = json.dumps(count_stems(cases.table), ensure_ascii=False, separators=(",", ":"))
        lexicon.LEXICON.write_text(text + "\n", encoding="utf-8")
        learn_latent(cases.table)
    seen = seen_by(cases)
    for line in measures(cases, leave_one_out(cases, seen)):
        sys.stdout.write(f"{line}\n")
    if options.write:
        model = trained(seen.rows[seen.learned], cases.grades[seen.learned])
        text = json.dumps(as_json(model), indent=1)
        weights.WEIGHTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

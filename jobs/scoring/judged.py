"""Judged pairs to learn from and to measure against, and the measures."""

import gzip
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from accounts.countries import country_code
from accounts.terms import SearchTerms
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.scoring.weights import SHIPPED_THRESHOLD
from jobs.table import JobTable

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Row = Mapping[str, Any]

GOOD: Final = 2
# What a filter turns down keeps a share of its points: low, and still in order.
FILTERED: Final = 0.1


@dataclass(frozen=True)
class Judged:
    """Searches, jobs and the judged pairs: (searches[rows[k]], job cols[k]) has grades[k], 0-3."""

    names: tuple[str, ...]
    searches: tuple[SearchTerms, ...]
    table: JobTable
    rows: Places
    cols: Places
    grades: Places


def read(directory: Path) -> Judged:
    """The judged pairs in `directory`: profiles.jsonl, labels.jsonl, jobs.jsonl.gz."""
    profiles = _lines(directory / "profiles.jsonl")
    labels = _lines(directory / "labels.jsonl")
    now = datetime.now(UTC)
    kept: dict[str, Posting] = {}
    for raw in _lines(directory / "jobs.jsonl.gz"):
        posting = normalise(raw, now)
        if isinstance(posting, Posting):
            kept[str(raw["id"])] = posting
    places = {raw_id: place for place, raw_id in enumerate(kept)}
    names = {str(profile["id"]): s for s, profile in enumerate(profiles)}
    known = [label for label in labels if label["job"] in places]
    return Judged(
        names=tuple(names),
        searches=tuple(map(search_of, profiles)),
        table=JobTable.of(tuple(kept.values()), [now] * len(kept)),
        rows=np.array([names[label["profile"]] for label in known], dtype=np.intp),
        cols=np.array([places[label["job"]] for label in known], dtype=np.intp),
        grades=np.array([label["grade"] for label in known], dtype=np.intp),
    )


def search_of(profile: Row) -> SearchTerms:
    """A profile as a search; its country names are any that accounts.countries knows."""
    return SearchTerms(
        name=profile["id"],
        headline=profile["headline"],
        about=profile["about"],
        wants=profile["wants"],
        skills=tuple(profile["skills"]),
        words_none=tuple(profile["exclude_keywords"]),
        countries_exclude=tuple(filter(None, map(country_code, profile["excluded_countries"]))),
        min_hourly=Decimal(str(profile["min_hourly"])),
        min_fixed=Decimal(str(profile["min_fixed"])),
    )


def measures(cases: Judged, points: Floats) -> Iterator[str]:
    """One line per profile and one for all, by the cases' own definitions (eval.py)."""
    yield f"{'profile':8} {'n':>4} {'good':>4} {'nDCG@10':>8} {'AP':>6}"
    means = []
    for s, name in enumerate(cases.names):
        mine = cases.rows == s
        grades = cases.grades[mine]
        found = ndcg(points[mine], grades), average_precision(points[mine], grades)
        means.append(found)
        good = int((grades >= GOOD).sum())
        yield f"{name:8} {len(grades):4} {good:4} {found[0]:8.3f} {found[1]:6.3f}"
    mean = np.nanmean(means, axis=0)
    yield f"mean nDCG@10 {mean[0]:.3f}, AP {mean[1]:.3f}"
    yield f"at {SHIPPED_THRESHOLD}: {alerting(points, cases.grades)}"


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


def alerting(points: Floats, grades: Places) -> str:
    """F1, precision, recall and the share of grade 0 at the shipped threshold, as words."""
    told, good = points >= SHIPPED_THRESHOLD, grades >= GOOD
    right = int((told & good).sum())
    f1 = 2 * right / max(1, told.sum() + good.sum())
    bad = (told & (grades == 0)).sum() / max(1, told.sum())
    return (
        f"F1 {f1:.3f}, precision {right / max(1, told.sum()):.3f}, "
        f"recall {right / max(1, good.sum()):.3f}, grade-0 alerts {bad:.3f}"
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]

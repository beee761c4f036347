"""Judged pairs to learn from and to measure against, and the measures."""

import gzip
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from accounts.countries import country_code
from accounts.profiles import PREFERENCE_KEYS, SEARCH_KEYS, read_profile
from accounts.terms import SearchTerms
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.scoring.weights import SHIPPED_THRESHOLD
from jobs.table import JobTable

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Row = Mapping[str, Any]

GOOD: Final = 2
# What names a profile or describes it to its reader, and wants nothing.
_ABOUT_IT: Final = frozenset({"id", "name", "field", "active"})
_KEYS: Final = frozenset({*SEARCH_KEYS, *PREFERENCE_KEYS, "searches"})


@dataclass(frozen=True)
class Judged:
    """Searches, jobs and the judged pairs: (searches[rows[k]], job cols[k]) has grades[k], 0-3."""

    names: tuple[str, ...]
    searches: tuple[SearchTerms, ...]
    table: JobTable
    rows: Places
    cols: Places
    grades: Places


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


def read(directory: Path, now: datetime | None = None) -> Judged:
    """The judged pairs in `directory`: profiles.jsonl, labels.jsonl, jobs.jsonl.gz.

    Relative times ("2 hours ago") refer to `now`, by default the present.
    """
    now = now or datetime.now(UTC)
    profiles = _lines(directory / "profiles.jsonl")
    labels = _lines(directory / "labels.jsonl")
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
        searches=tuple(searches_of(profile, str(profile["id"]))[0] for profile in profiles),
        table=JobTable.of(tuple(kept.values()), [now] * len(kept)),
        rows=np.array([names[label["profile"]] for label in known], dtype=np.intp),
        cols=np.array([places[label["job"]] for label in known], dtype=np.intp),
        grades=np.array([label["grade"] for label in known], dtype=np.intp),
    )


def searches_of(profile: Row, name: str) -> tuple[SearchTerms, ...]:
    """The searches of a profile; one without a list of them is one search, called `name`.

    The keys are those of `add_user`'s file, or the cases' `exclude_keywords` (words_none) and
    `excluded_countries` (countries_exclude; names of no country count for nothing).  A key that
    is absent or null has its default.  Raises ProfileError, which names an unknown key.
    """
    given = {key: value for key, value in profile.items() if key not in _ABOUT_IT}
    avoided = given.pop("exclude_keywords", None) or ()
    countries = given.pop("excluded_countries", None) or ()
    wanted = {key: value for key, value in given.items() if value is not None or key not in _KEYS}
    if avoided:
        wanted["words_none"] = [*wanted.get("words_none", ()), *filter(None, avoided)]
    if countries:
        known = filter(None, map(country_code, countries))
        wanted["countries_exclude"] = [*wanted.get("countries_exclude", ()), *known]
    changes = read_profile(wanted)
    return tuple(map(_terms, changes.searches or [{"name": name, **changes.search}]))


def _terms(values: Row) -> SearchTerms:
    plain: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in values.items()
    }
    return SearchTerms(**plain)


def measures(cases: Judged, points: Floats) -> Iterator[str]:
    """One line per profile and one for all, by the cases' own definitions (eval.py)."""
    found = {
        name: ranked(points[cases.rows == s], cases.grades[cases.rows == s])
        for s, name in enumerate(cases.names)
    }
    yield from table(found)
    yield f"at {SHIPPED_THRESHOLD}: {alerting(points, cases.grades)}"


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


def _lines(path: Path) -> list[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]

"""Scoring judged pairs through the code of the scan: plain values in, predictions out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

import numpy as np

from accounts.terms import SearchTerms
from jobs.matching import FreshJobs, UserSearch, match
from jobs.postings.identifiers import job_id_from
from jobs.postings.posting import Posting
from jobs.scoring import score
from jobs.scoring.measuring import KEPT_OUT, Alerts, Ranked, alerts, best, ranked
from jobs.table import JobTable

Pair = tuple[str, str]


class _Measures(TypedDict):
    profiles: Mapping[str, Ranked]
    overall: Alerts
    best: Alerts


@dataclass(frozen=True, slots=True)
class Label:
    """One judged pair, its ids as the file writes them; grade 0 (no) to 3 (alert now)."""

    profile: str
    job: str
    grade: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """The score, 0 to 100, of one labelled pair; ids as the label writes them."""

    profile: str
    job: str
    score: float


class Postings:
    """Postings by every id they are known by: the one in the row, and the normalised one."""

    def __init__(self, rows: Iterable[tuple[object, Posting]]) -> None:
        self._by: dict[str, Posting] = {}
        for raw, posting in rows:  # of a job that comes twice the later row counts, as in the store
            self._by[posting.id] = posting
            if isinstance(raw, Mapping) and isinstance(raw.get("id"), str | int):
                self._by[str(raw["id"]).strip()] = posting

    def find(self, job: str) -> Posting | None:
        """The posting a label means, in whatever form it writes the id, an address included."""
        return self._by.get(job.strip()) or self._by.get(job_id_from(job, url=job) or "")


@dataclass(frozen=True)
class Evaluation:
    """What the labels came to.

    `predictions` are in the order of the labels; a label whose job or profile is absent has none
    and counts as lower than all.  `overall` is at the shipped threshold, `best` at the one with
    the highest F1 over all pairs.
    """

    predictions: tuple[Prediction, ...]
    absent_jobs: tuple[str, ...]
    absent_profiles: tuple[str, ...]
    profiles: Mapping[str, Ranked]
    overall: Alerts
    best: Alerts


def evaluate(
    profiles: Mapping[str, Sequence[SearchTerms]],
    labels: Sequence[Label],
    postings: Postings,
    *,
    now: datetime,
) -> Evaluation:
    """Score every labelled pair as a scan at `now` would, and measure the order.

    How old a job is does not count, save for a search that asks (`posted_within_hours`).
    """
    found = {job: postings.find(job) for job in dict.fromkeys(label.job for label in labels)}
    known = {job: posting for job, posting in found.items() if posting}
    told = [label for label in labels if label.profile in profiles and label.job in known]
    judged = _scores(profiles, list(known.values()), now)
    scores = {
        (label.profile, label.job): judged[label.profile, known[label.job].id] for label in told
    }
    names = dict.fromkeys(label.profile for label in labels)
    return Evaluation(
        predictions=tuple(Prediction(*pair, score) for pair, score in scores.items()),
        absent_jobs=tuple(job for job in found if job not in known),
        absent_profiles=tuple(name for name in names if name not in profiles),
        **_measured(labels, scores),
    )


def _measured(labels: Sequence[Label], scores: Mapping[Pair, float]) -> _Measures:
    """The measures of the labels; a pair without a score comes below all others."""
    lowest = min(scores.values(), default=0.0) - 1
    points = np.array(
        [scores.get((label.profile, label.job), lowest) for label in labels], dtype=np.float64
    )
    grades = np.array([label.grade for label in labels], dtype=np.intp)
    owners = np.array([label.profile for label in labels], dtype=np.str_)
    return {
        "profiles": {
            str(name): ranked(points[owners == name], grades[owners == name])
            for name in np.unique(owners)
        },
        "overall": alerts(points, grades),
        "best": best(points, grades),
    }


def _scores(
    profiles: Mapping[str, Sequence[SearchTerms]], postings: Sequence[Posting], now: datetime
) -> dict[Pair, float]:
    """The score of every profile with every job: what a scan would give, or a share of it."""
    unique = {posting.id: posting for posting in postings}
    count = len(unique)
    table = JobTable.of(tuple(unique.values()), [now] * count)
    jobs = FreshJobs(tuple(unique), table, (now,) * count, (1,) * count)
    searches = [
        UserSearch(name, place, terms)
        for name, mine in profiles.items()
        for place, terms in enumerate(mine)
    ]
    matched = match(searches, jobs, known={}, settled=(), now=now)
    scores = _kept_out(searches, jobs, {(searches[m.row].user_id, m.col) for m in matched.new})
    for each in matched.new:
        scores[searches[each.row].user_id, jobs.ids[each.col]] = float(each.score)
    return scores


def _kept_out(
    searches: Sequence[UserSearch],
    jobs: FreshJobs,
    passed: Collection[tuple[str, int]],
) -> dict[Pair, float]:
    """A share of the best score of every pair that no search lets through."""
    cells = [
        (row, col)
        for row, search in enumerate(searches)
        for col in range(len(jobs.ids))
        if (search.user_id, col) not in passed
    ]
    rows, cols = np.array(cells, dtype=np.intp).reshape(-1, 2).T
    found = score([search.terms for search in searches], jobs.table, rows, cols)
    scores: dict[Pair, float] = {}
    for row, col, each in zip(rows.tolist(), cols.tolist(), found, strict=True):
        pair = (searches[row].user_id, jobs.ids[col])
        scores[pair] = max(scores.get(pair, 0.0), round(each.score * KEPT_OUT, 1))
    return scores

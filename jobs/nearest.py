"""What all of somebody's searches only just kept out: on arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.terms import SearchTerms
from jobs.matching import FreshJobs
from jobs.preview import NearMiss, miss
from jobs.reach import Reach
from jobs.scoring.taste import Taste

# Below the threshold by more than this is no near miss.
POINTS_AWAY: Final = 15


@dataclass(frozen=True, slots=True)
class Missed:
    """A near miss, and the place among the searches of the one that it came nearest to."""

    search: int
    miss: NearMiss


@dataclass(frozen=True, slots=True, order=True)
class _Near:
    """One pair, the nearest first: few settings, a high score, a new job."""

    settings: int
    points: float
    seen: int
    search: int
    pair: int
    col: int


def nearest(
    searches: Sequence[SearchTerms],
    jobs: FreshJobs,
    *,
    now: datetime,
    leave_out: Collection[str] = (),
    taste: Taste | None = None,
    most: int = 10,
) -> list[Missed]:
    """The `most` jobs that came nearest to passing one of the searches and pass none of them.

    One setting, or two where hardly any job is that near, kept each out.  A job is judged as at
    the moment it was first seen.  `leave_out` are ids of jobs not to be shown.
    """
    found: dict[int, _Near] = {}
    reaches: list[Reach] = []
    for filters in (1, 2):
        reaches = [Reach.of(s, jobs.table, now, most=filters, taste=taste) for s in searches]
        found = _by_job(searches, jobs, reaches, frozenset(leave_out))
        if len(found) >= most:
            break
    return [
        Missed(
            near.search,
            miss(searches[near.search], jobs.table, reaches[near.search], near.pair, now),
        )
        for near in sorted(found.values())[:most]
    ]


def _by_job(
    searches: Sequence[SearchTerms],
    jobs: FreshJobs,
    reaches: Sequence[Reach],
    leave_out: frozenset[str],
) -> dict[int, _Near]:
    """For each job that no search lets through, the pair that came nearest."""
    passed = {col for found in reaches for col in found.cols[found.kept_out == 0].tolist()}
    best: dict[int, _Near] = {}
    for place, (search, found) in enumerate(zip(searches, reaches, strict=True)):
        near = (found.kept_out <= 2) & (found.points >= search.min_score - POINTS_AWAY)
        for pair in near.nonzero()[0].tolist():
            col = int(found.cols[pair])
            if col in passed or jobs.ids[col] in leave_out:
                continue
            seen = -int(jobs.table.seen[col].astype(int))
            each = _Near(
                int(found.kept_out[pair]), -float(found.points[pair]), seen, place, pair, col
            )
            best[col] = min(each, best.get(col, each))
    return best

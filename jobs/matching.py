"""Which pairs of a block need a verdict, and which verdict is the user's: on arrays."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.filters import passing
from jobs.filters.judging import Bools
from jobs.scoring import Score, score
from jobs.scoring.taste import Taste
from jobs.table import JobTable

Key = tuple[str, str]
LOCAL: Final = "local:1"


@dataclass(frozen=True, slots=True)
class UserSearch:
    """One active search and whose it is.

    Jobs dated at or before `jobs_from` are not for this user; those of a revision up to
    `judged_to` have their outcome.  `taste`: what the user's thumbs come to.
    """

    user_id: str
    search_id: int
    terms: SearchTerms
    jobs_from: datetime | None = None
    judged_to: int = 0
    taste: Taste | None = None


@dataclass(frozen=True)
class FreshJobs:
    """The jobs young enough to be matched, as columns; the rest in the same order.

    `dated` is when each was posted or first seen, whichever came first.  `complete` says that no
    job was left out because it could not be read.
    """

    ids: tuple[str, ...]
    table: JobTable
    dated: tuple[datetime, ...]
    revisions: tuple[int, ...]
    complete: bool = True

    def take(self, places: Sequence[int]) -> "FreshJobs":
        """Only the jobs at these places."""
        return FreshJobs(
            tuple(self.ids[place] for place in places),
            self.table.take(places),
            tuple(self.dated[place] for place in places),
            tuple(self.revisions[place] for place in places),
            self.complete,
        )

    def join(self, other: "FreshJobs") -> "FreshJobs":
        """The jobs of both, ours first."""
        return FreshJobs(
            self.ids + other.ids,
            self.table.join(other.table),
            self.dated + other.dated,
            self.revisions + other.revisions,
            self.complete and other.complete,
        )


@dataclass(frozen=True, slots=True)
class KnownScore:
    """A verdict given earlier: its score and the search it named (None: since deleted)."""

    score: int
    search_id: int | None


@dataclass(frozen=True, slots=True)
class Author:
    """Who gave a verdict, at what cost in US dollars; `local_score` bounds a model's."""

    scorer: str = LOCAL
    prompt: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: Decimal = Decimal(0)
    local_score: int | None = None
    needs_review: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A verdict on one pair: places of the search and of the job, and the score."""

    row: int
    col: int
    score: int
    detail: Score | None  # None: the score was known before
    author: Author = Author()


@dataclass(frozen=True, slots=True)
class Matched:
    """What a block came to: how many pairs passed a filter, new verdicts, and what is due.

    `due` holds every match, new or known, whose score reaches the threshold of its search.
    """

    candidates: int
    new: tuple[Match, ...]
    due: tuple[Match, ...]


def match(
    searches: Sequence[UserSearch],
    jobs: FreshJobs,
    *,
    known: Mapping[Key, KnownScore],
    settled: Collection[Key],
    now: datetime,
) -> Matched:
    """Judge every user x job of the block that has no outcome yet.

    `settled` pairs have a ledger row and are left out.  A pair scored before keeps its score.
    Otherwise each search that lets the job through scores it, and the best-fitting one gives the
    verdict.
    """
    if not searches or not jobs.ids:
        return Matched(0, (), ())
    grid = _Grid.of(searches, jobs)
    passed = passing([s.terms for s in searches], jobs.table, now)
    passed &= ~grid.mask(settled) & ~grid.before_their_time() & ~grid.judged_before()
    new = _best(grid, passed & ~grid.mask(known))
    kept = _kept(grid, passed, known)
    due = [m for m in (*new, *kept) if m.score >= searches[m.row].terms.min_score]
    return Matched(len(grid.pairs(passed)), tuple(new), tuple(due))


@dataclass(frozen=True)
class _Grid:
    """Searches down, jobs across; a user's searches stand together or not, as they came."""

    searches: Sequence[UserSearch]
    jobs: FreshJobs
    user_of_row: NDArray[np.intp]
    users: Mapping[str, int]
    cols: Mapping[str, int]

    @classmethod
    def of(cls, searches: Sequence[UserSearch], jobs: FreshJobs) -> Self:
        users = {
            user: place for place, user in enumerate(dict.fromkeys(s.user_id for s in searches))
        }
        user_of_row = np.array([users[s.user_id] for s in searches], dtype=np.intp)
        cols = {job_id: col for col, job_id in enumerate(jobs.ids)}
        return cls(searches, jobs, user_of_row, users, cols)

    def mask(self, keys: Iterable[Key]) -> Bools:
        """True where the row's user and the column's job are among the keys."""
        marked = np.zeros((len(self.users), len(self.cols)), dtype=np.bool_)
        for user, job in keys:
            if user in self.users and job in self.cols:
                marked[self.users[user], self.cols[job]] = True
        return marked[self.user_of_row]

    def before_their_time(self) -> Bools:
        """True where a job is dated at or before the moment the user's jobs begin after."""
        dated = np.array([when.timestamp() for when in self.jobs.dated])
        starts = [s.jobs_from.timestamp() if s.jobs_from else -np.inf for s in self.searches]
        return dated[None, :] <= np.array(starts)[:, None]

    def judged_before(self) -> Bools:
        """True where the job's revision was judged for the row's search already."""
        revisions = np.array(self.jobs.revisions, dtype=np.int64)
        judged_to = np.array([s.judged_to for s in self.searches], dtype=np.int64)
        return revisions[None, :] <= judged_to[:, None]

    def pairs(self, passed: Bools) -> set[tuple[int, int]]:
        """The (user, job) places behind the true cells."""
        rows, cols = np.nonzero(passed)
        return set(zip(self.user_of_row[rows].tolist(), cols.tolist(), strict=True))


def _best(grid: _Grid, wanted: Bools) -> list[Match]:
    """Score the wanted cells and keep each user's best-fitting search for a job.

    A search whose threshold is reached goes before one whose is not, then the higher score, then
    the first.
    """
    rows, cols = np.nonzero(wanted)
    tastes = [s.taste for s in grid.searches]
    scores = score([s.terms for s in grid.searches], grid.jobs.table, rows, cols, tastes)
    best: dict[tuple[int, int], Match] = {}
    rank: dict[tuple[int, int], tuple[bool, int]] = {}
    for row, col, found in zip(rows.tolist(), cols.tolist(), scores, strict=True):
        pair = (int(grid.user_of_row[row]), col)
        fits = found.score >= grid.searches[row].terms.min_score, found.score
        if pair not in rank or fits > rank[pair]:
            rank[pair], best[pair] = fits, Match(row, col, found.score, found)
    return list(best.values())


def _kept(grid: _Grid, passed: Bools, known: Mapping[Key, KnownScore]) -> list[Match]:
    """Known scores, each for the search it named, or the most lenient when that passes no more."""
    lowest = min(search.terms.min_score for search in grid.searches)
    rows_of: dict[str, list[int]] = {}
    for row, search in enumerate(grid.searches):
        rows_of.setdefault(search.user_id, []).append(row)
    kept: list[Match] = []
    for (user, job), verdict in known.items():
        if verdict.score < lowest or job not in grid.cols:
            continue
        col = grid.cols[job]
        rows = [row for row in rows_of.get(user, ()) if passed[row, col]]
        own = [row for row in rows if grid.searches[row].search_id == verdict.search_id]
        if rows:
            row = min(own or rows, key=lambda row: grid.searches[row].terms.min_score)
            kept.append(Match(row, col, verdict.score, None))
    return kept

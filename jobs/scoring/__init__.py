"""How well a job fits a search, 0 to 100, without any outside service."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from accounts.terms import SearchTerms
from jobs.scoring.features import features, tags_alone
from jobs.scoring.naming import Named, SkillHits
from jobs.scoring.parts import TASTE, whole_parts, with_part
from jobs.scoring.reasons import CROWDED, concerns, reasons
from jobs.scoring.taste import Sway, Taste
from jobs.scoring.weights import Weights, shipped
from jobs.table import JobTable

Places = NDArray[np.intp]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# A survey, and a post for which nothing but a list of stock tags speaks, never score more.
LOW_MOST: Final = 35
# Points taken off for what the measured cases hardly ever state; set by hand, not learned.
_CROWDED_POINTS, _UNVERIFIED_POINTS = 3.0, 2.0


@dataclass(frozen=True, slots=True)
class Score:
    """0 (no) to 100 (made for you), with plain sentences for and against.

    `parts` are whole points by slug, in the order of `jobs.scoring.parts`, which add up to it.
    """

    score: int
    reasons: tuple[str, ...]
    concerns: tuple[str, ...]
    parts: Mapping[str, int]


def score(
    searches: Sequence[SearchTerms],
    table: JobTable,
    rows: Places,
    cols: Places,
    tastes: Sequence[Taste | None] = (),
) -> list[Score]:
    """The scores of the pairs (searches[rows[k]], job cols[k] of the table), in that order.

    The same pair scores the same whatever else is in the block.  `tastes`, where given, has one
    for each search: what the thumbs of its owner come to.
    """
    rows, cols = np.asarray(rows, dtype=np.intp), np.asarray(cols, dtype=np.intp)
    if rows.shape != cols.shape:
        raise ValueError(f"{rows.size} rows, but {cols.size} columns")
    hits = SkillHits.of([searches[s] for s in np.unique(rows)], table, np.unique(cols))
    scores: dict[int, Score] = {}
    for group in _groups(rows):
        search, mine = searches[rows[group[0]]], cols[group]
        found = _scores(search, table, mine, hits)
        if tastes and (taste := tastes[rows[group[0]]]):
            found = _swayed(found, Sway.of(taste, search, table, mine))
        scores.update(zip(group.tolist(), found, strict=True))
    return [scores[pair] for pair in range(len(rows))]


def _groups(rows: Places) -> Iterator[Places]:
    """The places of the pairs of each search."""
    order = np.argsort(rows, kind="stable")
    if order.size:
        yield from np.split(order, np.flatnonzero(np.diff(rows[order])) + 1)


def _scores(search: SearchTerms, table: JobTable, cols: Places, hits: SkillHits) -> list[Score]:
    named = hits.named(search, cols)
    rows = features(search, table, cols, named)
    totals = _totals(rows, table, cols, shipped(), low(rows, table, cols, named))
    points, parts = np.round(totals[-1]), whole_parts(rows, totals, shipped())
    pairs = zip(points.tolist(), cols.tolist(), parts, strict=True)
    return [
        Score(
            int(p),
            reasons(search, table, j, named, pair),
            concerns(search, table, j, named, pair),
            its_parts,
        )
        for pair, (p, j, its_parts) in enumerate(pairs)
    ]


def low(rows: Floats, table: JobTable, cols: Places, named: Named) -> Bools:
    """Pairs that never score more than LOW_MOST: surveys, and tags that nothing bears out."""
    answer: Bools = table.signs.survey[cols] | tags_alone(rows, table, cols, named)
    return answer


def points_of(
    rows: Floats, table: JobTable, cols: Places, weights: Weights, kept_low: Bools
) -> Floats:
    """Whole points, 0 to 100 (as floats), of the features `rows` of the jobs at `cols`."""
    answer: Floats = np.round(_totals(rows, table, cols, weights, kept_low)[-1])
    return answer


def _totals(
    rows: Floats, table: JobTable, cols: Places, weights: Weights, kept_low: Bools
) -> Floats:
    """Points by the model, then after each of `parts.DEDUCTIONS` (4 by N): all within 0 to 100."""
    modelled = weights.points(weights.log_odds(rows))
    crowded = _CROWDED_POINTS * (table.proposals[cols] >= CROWDED)
    unverified = _UNVERIFIED_POINTS * (table.verified[cols] == 0)
    uncrowded = np.maximum(modelled - crowded, 0)
    verified = np.maximum(uncrowded - unverified, 0)
    lowered = np.where(kept_low, np.minimum(verified, LOW_MOST), verified)
    return np.stack([modelled, uncrowded, verified, lowered])


def _swayed(found: Sequence[Score], sway: Sway) -> list[Score]:
    """Scores moved by a taste; its sentences come second, after the strongest."""
    points = sway.moved(np.array([each.score for each in found], dtype=np.float64), low=LOW_MOST)
    return [
        replace(
            each,
            score=int(p),
            reasons=(*each.reasons[:1], *sway.reason(pair), *each.reasons[1:]),
            concerns=(*each.concerns[:1], *sway.concern(pair), *each.concerns[1:]),
            parts=with_part(each.parts, TASTE, int(p) - each.score),
        )
        for pair, (each, p) in enumerate(zip(found, points.tolist(), strict=True))
    ]

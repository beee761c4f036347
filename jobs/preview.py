"""What a search would have sent of the recent jobs, and what only just stayed out: on arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.terms import SearchTerms
from jobs.filters import compare
from jobs.filters.judging import Filter
from jobs.matching import FreshJobs
from jobs.postings.posting import Posting
from jobs.reach import THRESHOLD, Reach, first_seen_now
from jobs.scoring.reasons import concerns, reasons
from jobs.scoring.taste import Taste
from jobs.table import JobTable

_LABEL: Final = "Lowest score"


@dataclass(frozen=True, slots=True)
class Shown:
    """One job as the search sees it; the score is 0 to 100."""

    posting: Posting
    score: int
    reasons: tuple[str, ...]
    concerns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What kept a job out: a filter or the threshold, its label, and why in a sentence."""

    name: str
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A job kept out, and what did it: one setting, or two where hardly any job is that near."""

    job: Shown
    kept_out_by: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What would have been sent of `considered` jobs, best first, and the nearest misses.

    `alone` has, for each setting that kept a job out all by itself, how many those are; `words`
    is the outcome in a sentence or two.
    """

    considered: int
    sent_count: int
    sent: tuple[Shown, ...]
    near: tuple[NearMiss, ...]
    alone: Mapping[str, int]
    words: str


def preview(
    search: SearchTerms,
    jobs: FreshJobs,
    *,
    now: datetime,
    best: int = 5,
    misses: int = 5,
    taste: Taste | None = None,
) -> Preview:
    """Try a search on these jobs: the `best` it would have sent, the `misses` that came nearest.

    Each job is judged as at the moment it was first seen: `posted_within_hours` does not count
    the days since then.  `taste`: what the user's thumbs come to.
    """
    found = Reach.of(search, jobs.table, now, most=1, taste=taste)
    if (found.kept_out == 1).sum() < misses:
        found = Reach.of(search, jobs.table, now, most=2, taste=taste)
    order = found.in_order(jobs.table)
    keeping = found.kept_out[order]
    sent, missed = order[keeping == 0], order[(keeping > 0) & (keeping <= 2)]
    alone = found.alone()
    return Preview(
        considered=len(jobs.ids),
        sent_count=len(sent),
        sent=tuple(_shown(search, jobs.table, found, pair) for pair in sent[:best].tolist()),
        near=tuple(miss(search, jobs.table, found, pair, now) for pair in missed[:misses].tolist()),
        alone=alone,
        words=_in_words(search, found.filters, len(jobs.ids), len(sent), alone),
    )


def _shown(search: SearchTerms, table: JobTable, found: Reach, pair: int) -> Shown:
    j = int(found.cols[pair])
    return Shown(
        table.postings[j],
        int(found.points[pair]),
        (*reasons(search, table, j, found.named, pair), *found.sway.reason(pair)),
        (*concerns(search, table, j, found.named, pair), *found.sway.concern(pair)),
    )


def miss(search: SearchTerms, table: JobTable, found: Reach, pair: int, now: datetime) -> NearMiss:
    """The job at this place in `found.cols`, with each setting that kept it out."""
    shown, failing = _shown(search, table, found, pair), found.failing(pair)
    one = first_seen_now(table.row(int(found.cols[pair])), now)
    settings = [
        Setting(each.name, each.label, each.sentence)
        for each in compare(search, one, 0, now)
        if each.name in failing
    ]
    if shown.score < search.min_score:
        sentence = f"It scores {shown.score}, your lowest score is {search.min_score}."
        settings.append(Setting(THRESHOLD, _LABEL, sentence))
    return NearMiss(shown, tuple(settings))


def _in_words(
    search: SearchTerms,
    filters: Sequence[Filter],
    considered: int,
    sent: int,
    alone: Mapping[str, int],
) -> str:
    if not considered:
        return "There are no recent jobs to try this search on."
    free = "" if filters else " No filter is set: only the score decides."
    if sent == considered:
        return f"All {considered:,} recent jobs would have been sent: nothing is kept out.{free}"
    if sent:
        return f"{sent:,} of {considered:,} recent jobs would have been sent.{free}"
    none = f"None of the {considered:,} recent jobs would have been sent."
    if not alone:
        return f"{none} No single setting is to blame: each job is kept out by several.{free}"
    labels = {each.name: each.label for each in filters} | {THRESHOLD: _LABEL}
    name, count = max(alone.items(), key=lambda item: item[1])
    jobs = "job" if count == 1 else "jobs"
    return f"{none} “{labels[name]}” alone kept out {count:,} {jobs}.{free}"

"""What a user's searches, as they are now, would have sent of the last week's jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from jobs.matching import FreshJobs, UserSearch
from jobs.preview import NearMiss, Preview, Shown, preview
from jobs.recent import recent_jobs
from jobs.verdicts import searches_of

BEST: Final = 5


@dataclass(frozen=True, slots=True)
class Fit:
    """A job that would have been sent, and the name of the search it fits best."""

    job: Shown
    search: str


@dataclass(frozen=True, slots=True)
class RecentFits:
    """Of `considered` jobs the best that would have been sent, best first.

    `misses` are there only when none would have been.  `words` has a sentence or two for each
    active search, with its name where there are `several`.
    """

    considered: int
    several: bool
    fits: tuple[Fit, ...]
    misses: tuple[NearMiss, ...]
    words: tuple[str, ...]


def recent_fits(user_id: str, *, now: datetime) -> RecentFits:
    """Try the user's active searches on the jobs dated within the last week.

    Jobs dated before the user's own begin are left out.  Writes nothing.
    """
    searches = searches_of([user_id], {})
    jobs = recent_jobs(now=now)
    if searches and (begin := searches[0].jobs_from):
        jobs = jobs.take([place for place, dated in enumerate(jobs.dated) if dated > begin])
    return merged(len(jobs.ids), [(each.terms.name, _tried(each, jobs, now)) for each in searches])


def _tried(search: UserSearch, jobs: FreshJobs, now: datetime) -> Preview:
    return preview(search.terms, jobs, now=now, best=BEST, misses=BEST, taste=search.taste)


def merged(considered: int, tried: Sequence[tuple[str, Preview]]) -> RecentFits:
    """What several searches come to together: each job once, as the best of them sees it."""
    several = len(tried) > 1
    sent = [Fit(job, name) for name, found in tried for job in found.sent]
    missed = [miss for _, found in tried for miss in found.near]
    fits: dict[str, Fit] = {}
    for fit in sorted(sent, key=lambda fit: -fit.job.score):
        fits.setdefault(fit.job.posting.id, fit)
    misses: dict[str, NearMiss] = {}
    for miss in sorted(missed, key=lambda miss: (len(miss.kept_out_by), -miss.job.score)):
        misses.setdefault(miss.job.posting.id, miss)
    return RecentFits(
        considered=considered,
        several=several,
        fits=tuple(fits.values())[:BEST],
        misses=() if fits else tuple(misses.values())[:BEST],
        words=tuple(f"{name}: {p.words}" if several else p.words for name, p in tried),
    )

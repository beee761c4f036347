"""What a user's searches, as they are now, would have sent of the last week's jobs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.search_fields import FILTERS, too_open
from jobs.matching import FreshJobs, UserSearch
from jobs.preview import NearMiss, Preview, Shown, preview
from jobs.reach import THRESHOLD
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

    `misses` are there only when none would have been.  `words` tells of each search at work, by
    its name, what kept most jobs out.
    """

    considered: int
    fits: tuple[Fit, ...]
    misses: tuple[NearMiss, ...]
    words: tuple[tuple[str, str], ...]

    @property
    def several(self) -> bool:
        """Whether it has to be told which search something is about."""
        return len(self.words) > 1


def recent_fits(user_id: str, *, now: datetime) -> RecentFits:
    """Try the searches at work, those active and described, on the jobs dated within a week.

    Jobs dated before the user's own begin are left out.  Writes nothing.
    """
    searches = [each for each in searches_of([user_id], {}) if too_open(each.terms) is None]
    jobs = recent_jobs(now=now)
    if searches and (begin := searches[0].jobs_from):
        jobs = jobs.take([place for place, dated in enumerate(jobs.dated) if dated > begin])
    return merged(len(jobs.ids), [(each.terms.name, _tried(each, jobs, now)) for each in searches])


def _tried(search: UserSearch, jobs: FreshJobs, now: datetime) -> Preview:
    return preview(search.terms, jobs, now=now, best=BEST, misses=BEST, taste=search.taste)


def merged(considered: int, tried: Sequence[tuple[str, Preview]]) -> RecentFits:
    """What several searches come to together: each job once, as the best of them sees it."""
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
        fits=tuple(fits.values())[:BEST],
        misses=() if fits else tuple(misses.values())[:BEST],
        words=tuple((name, _in_words(found)) for name, found in tried),
    )


def _in_words(found: Preview) -> str:
    """What kept most jobs out of this search, in a sentence."""
    if not found.considered:
        return "There was no job to look at."
    if found.sent_count:
        return found.words
    if not found.alone:
        return "Each job was kept out by several settings at once."
    setting, count = max(found.alone.items(), key=lambda item: item[1])
    jobs = "1 job" if count == 1 else f"{count:,} jobs"
    return f"“{_label(setting)}” alone kept out {jobs}."


def _label(setting: str) -> str:
    return "Lowest score" if setting == THRESHOLD else FILTERS[setting].label

"""What a user's active searches only just kept out in the last week."""

from dataclasses import dataclass
from datetime import datetime

from accounts.viewer import Viewer
from deliveries.messages.job_card import JobCard
from deliveries.messages.tried_card import card_of
from deliveries.models import Delivery
from jobs.matching import FreshJobs
from jobs.nearest import nearest
from jobs.preview import Setting
from jobs.recent import recent_jobs
from jobs.tasting import tastes_of


@dataclass(frozen=True, slots=True)
class NearJob:
    """A job that no search let through, and the one setting, or two, that kept it out.

    `place` is that of the search it came nearest to, from 1, as in the form over the searches.
    """

    card: JobCard
    place: int
    kept_out_by: tuple[Setting, ...]


def near_misses(who: Viewer, *, now: datetime, most: int) -> list[NearJob]:
    """The nearest misses of the last week, the nearest first; none without a search that looks.

    Jobs that are in the user's ledger, whatever became of them, are no misses, nor are those that
    this user is not to have.
    """
    searches = [search for search in who.searches if search.looks]
    if not searches:
        return []
    jobs = _for(who, recent_jobs(now=now))
    if not jobs.ids:
        return []
    missed = nearest(
        [search.terms for search in searches],
        jobs,
        now=now,
        leave_out=_known(who, jobs),
        taste=tastes_of([who.user_id]).get(who.user_id),
        most=most,
    )
    several = len(who.active) > 1
    return [
        NearJob(
            card_of(each.miss.job, searches[each.search].terms.name if several else ""),
            searches[each.search].place,
            each.miss.kept_out_by,
        )
        for each in missed
    ]


def _for(who: Viewer, jobs: FreshJobs) -> FreshJobs:
    if who.jobs_from is None or not jobs.dated or min(jobs.dated) > who.jobs_from:
        return jobs
    return jobs.take([place for place, at in enumerate(jobs.dated) if at > who.jobs_from])


def _known(who: Viewer, jobs: FreshJobs) -> frozenset[str]:
    rows = Delivery.objects.filter(user_id=who.user_id, job__dated_at__gte=min(jobs.dated))
    return frozenset(rows.values_list("job_id", flat=True))

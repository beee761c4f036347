"""The filters once more, when queued rows are about to leave: searches and posts may have changed.

A row was queued because some search let its job through; by the time its mail is written the user
may want something else, and the post may say something else.
"""

from collections.abc import Sequence
from datetime import datetime

from accounts.boundaries import commit
from deliveries.models import Delivery
from jobs.filters import passing
from jobs.verdicts import readable_jobs, searches_of


def unwanted(user_id: str, ids: Sequence[str]) -> frozenset[str]:
    """Which of the user's rows are for jobs that no active search of theirs lets through now.

    A job's age is judged as of when its row was queued: to wait for the hour of a digest makes no
    job too old.  A job whose text is gone, or cannot be read, is not judged.  As many queries for
    one row as for many.
    """
    rows = Delivery.objects.filter(pk__in=ids, job__text_dropped_at=None)
    queued = {job: (pk, at) for pk, job, at in rows.values_list("pk", "job_id", "queued_at")}
    if not queued:
        return frozenset()
    jobs = readable_jobs(list(queued))
    searches = [search.terms for search in searches_of([user_id], {})]
    passed = passing(searches, jobs.table, [queued[job][1] for job in jobs.ids])
    return frozenset(queued[job][0] for j, job in enumerate(jobs.ids) if not passed[:, j].any())


def expire_unwanted(user_id: str, ids: Sequence[str], *, now: datetime) -> list[str]:
    """Expire those of the queued rows that nobody wants any more; the others, in their order.

    Call it in the transaction that has locked the rows and the user's preferences.
    """
    gone = unwanted(user_id, ids)
    if gone:
        with commit("ledger: filter out"):
            Delivery.objects.filter(pk__in=gone, status="queued").update(
                status="expired", reason="filtered out now", changed_at=now
            )
    return [id_ for id_ in ids if id_ not in gone]


def filtered_out(user_ids: Sequence[str], *, since: datetime) -> int:
    """How many rows of these users the filters have expired since then."""
    rows = Delivery.objects.filter(user_id__in=user_ids, status="expired", changed_at__gte=since)
    return rows.filter(reason="filtered out now").count()

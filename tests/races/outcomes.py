"""What the sides have come to: inboxes, the ledger, and all that later runs depend on."""

from typing import Final

from django.db import connection
from django_q.models import Schedule

from accounts.identity import email_of
from accounts.models import OptOutToken, Preferences, Search, User
from deliveries.models import Delivery
from deliveries.running.schedules import SCHEDULES
from jobs.models import Verdict
from tests.races.scene import FIRST, OLD
from tests.races.sides import ANA, BO, CY, NEW
from tests.simulation.provider import Taken

NAMES: Final = {ANA: "ana", NEW: "ana", BO: "bo", CY: "cy"}


def inbox(taken: list[Taken]) -> dict[tuple[str, int], list[str]]:
    """In which kinds of mail each job came to each person."""
    came: dict[tuple[str, int], list[str]] = {}
    for one in taken:
        for job in one.jobs:
            came.setdefault((NAMES[one.recipient], job), []).append(one.about.kind)
    return came


def book() -> dict[tuple[str, int], str]:
    """What the ledger says of each person and job."""
    rows = Delivery.objects.values_list("user_id", "job_id", "status")
    return {
        (NAMES[email_of(user)], int(job.removeprefix("upwork:")) - FIRST): status
        for user, job, status in rows
    }


def schedules_are_right() -> bool:
    """Whether each schedule is there once, as it should be."""
    found = Schedule.objects.order_by("name").values_list("name", "func", "cron")
    return list(found) == sorted((name, *rest) for name, rest in SCHEDULES.items())


def ana_has_moved() -> bool:
    """Whether her account is known by its new address only."""
    return set(User.objects.values_list("email", flat=True)) == {NEW, BO}


def ana_is_gone() -> bool:
    """Whether bo is alone."""
    return set(User.objects.values_list("email", flat=True)) == {BO}


def there_is_one_account() -> bool:
    """With one of everything."""
    return [model.objects.count() for model in (User, Preferences, Search, OptOutToken)] == [1] * 4


def old_job_is_forgotten() -> bool:
    """Whether nothing but the job itself tells that it came to anybody."""
    job = f"upwork:{FIRST + OLD}"
    rows = Delivery.objects.filter(job=job), Verdict.objects.filter(job=job)
    return not any(found.exists() for found in rows)


_TIMES: Final = "'{queued_at,changed_at,sent_at,created_at,finished_at,next_attempt_at,body}'"
_STANDING: Final = f"""
SELECT jsonb_build_array(
    (SELECT jsonb_agg(to_jsonb(d) - {_TIMES}::text[] ORDER BY id) FROM deliveries_delivery d),
    (SELECT jsonb_agg(to_jsonb(m) - {_TIMES}::text[] ORDER BY id) FROM deliveries_mail m),
    (SELECT jsonb_agg(id ORDER BY id) FROM jobs_job),
    (SELECT jsonb_agg(id ORDER BY id) FROM jobs_verdict),
    (SELECT jsonb_agg((user_id, mode, last_digest_on) ORDER BY user_id) FROM accounts_preferences),
    (SELECT jsonb_agg((user_id, version = judged_version,
                       judged_to = (SELECT max(revision) FROM jobs_job)) ORDER BY user_id)
     FROM jobs_watermark),
    (SELECT jsonb_agg(name) FROM deliveries_lease),
    (SELECT jsonb_agg(user_id ORDER BY user_id) FROM deliveries_visit),
    (SELECT jsonb_agg((uid, jobs_from IS NULL) ORDER BY uid) FROM accounts_user),
    (SELECT jsonb_agg(user_id) FROM accounts_suppression),
    (SELECT jsonb_agg((name, state, watermark)) FROM jobs_sourcestate)
)::text
"""


def standing() -> str:
    """All that a run hours later depends on; moments of this very second left out."""
    with connection.cursor() as cursor:
        cursor.execute(_STANDING)
        found: str = cursor.fetchone()[0]
    return found

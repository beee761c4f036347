"""The tail of an example: no more faults, time passes, and everything must come to its end."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from accounts.models import Preferences, Search, User
from deliveries import routing
from deliveries.models import Delivery, MailProvider
from jobs.models import Job
from tests.simulation import check
from tests.simulation.violations import require
from tests.simulation.world import World

AFTER_A_KILL: Final = timedelta(minutes=25)  # the lease of 10 minutes, and one tick
TICK: Final = timedelta(hours=1)
TICKS: Final = 30
DAYS_LATER: Final = timedelta(days=3, hours=1)


def tail(world: World) -> None:
    """Everything that a fault-free time must bring about; raises Violation."""
    world.wait(AFTER_A_KILL)
    at_once = _to_be_mailed_at_once(world.now())
    ended = world.run("scan")
    require(ended.error is None, 13, f"the next scan broke off: {ended.error!r}")
    require(ended.summary.skipped is None, 13, f"the next scan: {ended.summary.skipped}")
    waiting = Delivery.objects.filter(pk__in=at_once, status="queued", route="instant")
    require(not waiting, 13, f"still queued after a tick: {list(waiting.values_list('id'))}")
    check.always(world)
    _everything_due_is_recorded(world.now())
    mailable = _to_be_mailed_in_a_day(world)
    for tick in range(TICKS):
        if not _anything_waits():
            break
        world.run("digest")
        world.wait(TICK)
        if tick % 6 == 0:
            world.run("scan")
    check.always(world)
    gone = Delivery.objects.filter(pk__in=mailable).exclude(status="sent")
    require(not gone, 4, f"never mailed: {list(gone.values_list('id', 'status', 'reason'))}")
    world.run("scan")
    world.run("digest")
    check.at_rest(world)
    world.wait(DAYS_LATER + world.jumped_back)
    world.run("scan")
    world.run("digest")
    check.always(world)
    check.nothing_open()


def _anything_waits() -> bool:
    return Delivery.objects.filter(status__in=["queued", "sealed"]).exists()


def _served(now: datetime) -> "QuerySet[Preferences]":
    """Users whom mail may reach from now on, without a cap that is in the way."""
    flowing = Q(paused_until=None) | Q(paused_until__lte=now)
    return Preferences.objects.filter(
        flowing, user__is_active=True, user__suppression=None, max_jobs_per_day__gte=100
    )


def _to_be_mailed_at_once(now: datetime) -> list[str]:
    if MailProvider.objects.filter(not_before__gt=now).exists():
        return []  # it asked us to wait, and then the clock was set back
    queued = Q(user__deliveries__status="queued", user__deliveries__route="instant")
    crowd = Count("user__deliveries", filter=queued)
    one_mail = _served(now).annotate(crowd=crowd).filter(crowd__lte=routing.ALERT_JOBS)
    flowing = [row.pk for row in one_mail if routing.alerts_flow(row.terms(), now)]
    rows = Delivery.objects.filter(status="queued", route="instant", user_id__in=flowing)
    return list(rows.filter(attempts__lt=routing.ALERT_ATTEMPTS).values_list("pk", flat=True))


def _to_be_mailed_in_a_day(world: World) -> list[str]:
    """Rows that nothing stands in the way of, with time enough left.

    After a jump back of the clock a day may count as served that is still to come: none then.
    """
    now = world.now()
    if world.jumped_back:
        return []
    fresh = timedelta(hours=settings.SCOUT_FRESH_HOURS)
    instant = Q(
        route="instant",
        job__dated_at__gt=now - fresh + timedelta(hours=9),
        attempts__lt=routing.ALERT_ATTEMPTS - 5,
    )
    crowd = Count("deliveries", filter=Q(deliveries__route="daily", deliveries__status="queued"))
    one_digest = User.objects.annotate(crowd=crowd).filter(crowd__lte=routing.DIGEST_JOBS)
    daily = Q(route="daily", queued_at__gt=now - timedelta(hours=18), user__in=one_digest)
    of_served = Delivery.objects.filter(status="queued", user__in=_served(now).values("pk"))
    rows = of_served.filter(instant | daily)
    return list(rows.values_list("pk", flat=True))


def _everything_due_is_recorded(now: datetime) -> None:
    """Told from posts and wishes anew: every pair that fits has its row."""
    begin = now - timedelta(hours=settings.SCOUT_FRESH_HOURS)
    jobs = list(Job.objects.filter(dated_at__gt=begin + timedelta(minutes=1)))
    rows = set(Delivery.objects.values_list("user_id", "job_id"))
    for search in Search.objects.filter(active=True, user__in=_served(now).values("pk")):
        since = search.user.jobs_from
        for job in jobs:
            seen_before = since is not None and job.dated_at <= since
            unwanted = any(word in job.title.lower() for word in search.words_none)
            missed = (search.user_id, job.pk) not in rows
            require(
                seen_before or unwanted or not missed, 3, f"{search.user.email} missed {job.pk}"
            )

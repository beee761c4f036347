"""django-q2's schedules, kept in step with what the product needs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from croniter import croniter
from django.db import connection
from django_q.models import Schedule

from accounts.boundaries import commit
from deliveries.work.clock import database_time

# Name to function and cron line, UTC.  The digest tick follows the scan; both sweep.
SCHEDULES: Final = {
    "scout scan": ("deliveries.tasks.scan", "*/15 * * * *"),
    "scout digest": ("deliveries.tasks.digest", "5-59/15 * * * *"),
    "scout prune": ("deliveries.tasks.prune", "40 3 * * *"),
}
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('deliveries.running.schedules'))"


@dataclass(frozen=True, slots=True)
class Synced:
    """How many schedules were made, corrected, and removed as duplicates."""

    made: int = 0
    corrected: int = 0
    removed: int = 0

    def __add__(self, other: "Synced") -> "Synced":
        return Synced(
            self.made + other.made,
            self.corrected + other.corrected,
            self.removed + other.removed,
        )


def sync() -> Synced:
    """Make the schedules what SCHEDULES says; schedules of any other name are left alone.

    Idempotent, and one caller at a time: names are not unique in django-q2's table.
    """
    with commit("schedules: sync"):
        with connection.cursor() as cursor:
            cursor.execute(_LOCK)
        now, synced = database_time(), Synced()
        for name, (func, cron) in SCHEDULES.items():
            synced += _sync(name, func, cron, now)
        return synced


def _sync(name: str, func: str, cron: str, now: datetime) -> Synced:
    # The scheduler holds the rows that are due while it runs, and saves what it then sees.
    first, *others = Schedule.objects.select_for_update().filter(name=name).order_by("pk") or [None]
    removed = Schedule.objects.filter(pk__in=[row.pk for row in others]).delete()[0]
    wanted = _wanted(func, cron)
    if first is None:
        Schedule.objects.create(name=name, **wanted)
        return Synced(made=1, removed=removed)
    latest = croniter(cron, now).get_next(datetime)
    if first.next_run is None or first.next_run > latest:
        wanted["next_run"] = latest
    changed = {key for key, value in wanted.items() if getattr(first, key) != value}
    if changed:
        Schedule.objects.filter(pk=first.pk).update(**wanted)
    return Synced(corrected=int(bool(changed)), removed=removed)


def _wanted(func: str, cron: str) -> dict[str, Any]:
    nothing = ("args", "kwargs", "hook", "cluster", "intended_date_kwarg", "minutes")
    timing = {"schedule_type": Schedule.CRON, "cron": cron, "repeats": -1}
    return {"func": func, **timing, **dict.fromkeys(nothing)}

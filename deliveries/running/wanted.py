"""Runs that somebody asked for: at most one of a kind waits, and this table says so.

django-q2's tasks only wake a worker up: one that is lost, or comes twice, changes nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, Literal

from django.db import connection
from django.db.models import Min
from django_q.models import OrmQ
from django_q.tasks import async_task

from accounts.boundaries import commit, effect
from deliveries.models import WantedRun
from deliveries.running.liveness import LONGEST_WAIT
from deliveries.work.clock import database_time

Kind = Literal["scan", "digest"]
Asked = Literal["enqueued", "waiting", "begun"]
TASK: Final = "deliveries.tasks.wanted_run"

# What began longer ago than any task may take has died, and may be asked for again.
_ASK: Final = """
INSERT INTO deliveries_wantedrun (kind, asked_at) VALUES (%s, clock_timestamp())
ON CONFLICT (kind) DO UPDATE SET asked_at = EXCLUDED.asked_at, begun_at = NULL
WHERE deliveries_wantedrun.begun_at < clock_timestamp() - interval '10 minutes'
RETURNING kind
"""
_BEGIN: Final = """
UPDATE deliveries_wantedrun SET begun_at = clock_timestamp()
WHERE kind = %s AND begun_at IS NULL RETURNING begun_at
"""


def ask(kind: Kind) -> Asked:
    """Ask for one run, unless one waits or is at work already.

    Of any number of callers at once exactly one gets "enqueued".  The row and the worker's task
    are committed together.
    """
    with commit("wanted: ask"):
        with connection.cursor() as cursor:
            cursor.execute(_ASK, [kind])
            is_new = cursor.fetchone() is not None
        row = WantedRun.objects.select_for_update().filter(pk=kind).first()
        if row is None or row.begun_at is not None:
            return "begun"
        if is_new or _is_lost(kind, row.asked_at):
            with effect("wanted: wake a worker"):
                async_task(TASK, kind, q_options={"group": f"wanted {kind}"})
        return "enqueued" if is_new else "waiting"


def is_waiting(kind: Kind) -> bool:
    """Whether a run of this kind was asked for and has not begun."""
    return WantedRun.objects.filter(pk=kind, begun_at=None).exists()


def oldest_waiting() -> datetime | None:
    """When the run was asked for that has waited longest; None when none waits."""
    rows: dict[str, Any] = WantedRun.objects.filter(begun_at=None).aggregate(at=Min("asked_at"))
    at: datetime | None = rows["at"]
    return at


@contextmanager
def serving(kind: Kind) -> Iterator[None]:
    """Whatever runs inside is the run that was asked for, if one was."""
    with commit("wanted: begin"), connection.cursor() as cursor:
        cursor.execute(_BEGIN, [kind])
        begun = cursor.fetchone()
    try:
        yield
    finally:
        if begun:  # the row that we began, not one asked for since we were given up
            with commit("wanted: end"):
                WantedRun.objects.filter(pk=kind, begun_at=begun[0]).delete()


def _is_lost(kind: Kind, asked_at: datetime) -> bool:
    """Whether the task of a long-waiting run is gone from the queue, or in hands long dead."""
    now = database_time()
    if now - asked_at < LONGEST_WAIT:
        return False
    tasks = [row.task for row in OrmQ.objects.filter(lock__lte=now)]
    return not any((t.get("func"), t.get("args")) == (TASK, (kind,)) for t in tasks)

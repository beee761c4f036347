"""After a backup was restored: the database has forgotten what was sent since, and must not guess.

Whatever may have been sent already is given up: nobody gets it twice, and some never get it.
"""

import logging
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import F, Max, Value
from django.db.models.functions import Greatest

from accounts.boundaries import commit
from accounts.deleted_addresses import remember_every_address
from accounts.models import Preferences, User
from deliveries import ledger, routing
from deliveries.models import Lease, WantedRun
from deliveries.scan import LEASE
from deliveries.work import lease
from deliveries.work.clock import Clock
from deliveries.work.patience import told_when_busy
from jobs.fetching import FetchSummary, fetch_all
from jobs.models import Job
from jobs.source_health import HEALTHY
from jobs.sources import Source, configured

log = logging.getLogger(__name__)
_EARLIEST_ZONE: Final = timedelta(hours=14)


class ScanRunsError(Exception):
    """A scan holds the lease: stop the worker first, or wait until the lease has run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was given up, and what the sources showed before that.

    Jobs dated until `mark` come to nobody; `expired` and `unconfirmed` count ledger rows,
    `digests_skipped` the users whose latest digest may have been sent.
    """

    mark: datetime
    users: int
    expired: int
    unconfirmed: int
    digests_skipped: int
    fetched: int
    new_jobs: int
    sources: dict[str, str]

    @property
    def healthy(self) -> bool:
        """Whether every source showed what it holds; else run it again when they do."""
        return all(state in HEALTHY for state in self.sources.values())

    def as_json(self) -> dict[str, Any]:
        """Every key, always."""
        return {**asdict(self), "mark": f"{self.mark:%Y-%m-%dT%H:%M:%SZ}"}


def after_restore(clock: Clock) -> Restored:
    """Make sure that nothing sent between the backup and now is ever sent again.

    First the sources are looked at, so that what they show now was first seen before the mark;
    then, in one transaction: nobody gets a job dated until the mark, what is queued expires, open
    mails are unconfirmed, digests that may have been sent are skipped, leases and asked-for runs
    are forgotten.  Run twice it moves the mark on; killed before the end it has only fetched.
    Raises ScanRunsError, SourceError for a source that is configured wrongly, and BusyError when
    others were at work for longer than the database's lock_timeout.
    """
    sources = configured(settings.SCOUT_SOURCES)
    token = lease.take(LEASE, settings.SCOUT_LEASE_SECONDS)
    if token is None:
        raise ScanRunsError(
            "A scan is at work, or was when the backup was made: nothing was changed. Stop the"
            f" worker and cron; its lease ends within {settings.SCOUT_LEASE_SECONDS} seconds."
        )
    try:
        return _after_restore(clock, sources)
    finally:
        if token:
            lease.release(LEASE, token)


def _after_restore(clock: Clock, sources: list[Source]) -> Restored:
    found = fetch_all(sources, now=clock.now(), every_one=True)
    with told_when_busy("The database"), commit("restore: start afresh", durable=True):
        everybody = list(Preferences.objects.select_for_update().order_by("pk"))
        return _start_afresh(_mark(clock.now()), everybody, found)


def _mark(now: datetime) -> datetime:
    """Now, or later when a clock that was ahead has dated a job."""
    newest: datetime | None = Job.objects.aggregate(newest=Max("dated_at"))["newest"]
    return max(now, newest or now)


def _start_afresh(mark: datetime, everybody: list[Preferences], found: FetchSummary) -> Restored:
    """With the preferences of everybody locked: nothing is claimed, frozen or queued meanwhile."""
    users = User.objects.update(jobs_from=Greatest(F("jobs_from"), Value(mark)))
    remember_every_address(at=mark)  # of those who signed up since the backup nothing is known
    given_up = ledger.give_up_all(now=mark)
    skipped = _skip_digests(mark, everybody)
    Lease.objects.all().delete()
    WantedRun.objects.all().delete()
    return Restored(
        mark=mark,
        users=users,
        expired=given_up.expired,
        unconfirmed=given_up.unconfirmed,
        digests_skipped=skipped,
        fetched=found.fetched,
        new_jobs=found.new_jobs,
        sources=found.sources,
    )


def _skip_digests(mark: datetime, everybody: list[Preferences]) -> int:
    """A digest's id follows from its user and local date: a date that may have been digested must
    not be again, with other bytes under the same id."""
    by_day: dict[date, list[str]] = {}
    for row in everybody:
        day = _last_day(row, mark)
        if not routing.came_up(day, row.last_digest_on):
            by_day.setdefault(day, []).append(row.pk)
    return sum(
        Preferences.objects.filter(pk__in=users).update(last_digest_on=day)
        for day, users in by_day.items()
    )


def _last_day(row: Preferences, mark: datetime) -> date:
    try:
        return routing.last_digest_moment(row.terms(), mark)
    except Exception as error:
        # The boundary between users: of a time zone that is none the latest date there is counts.
        log.error("a digest day could not be told: %s", type(error).__name__, exc_info=error)
        return (mark + _EARLIEST_ZONE).date()

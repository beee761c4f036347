"""One scan: fetch, match, record, mail.  Safe to run twice, and to be killed anywhere."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import Max

from accounts.boundaries import commit
from deliveries import ledger
from deliveries.alerts import Sent, send_alert
from deliveries.model_judge import ModelJudge
from deliveries.models import Delivery, Run
from deliveries.sending.post import Post
from deliveries.summaries import ScanSummary
from deliveries.work import lease
from deliveries.work.blocks import blocks, end_visit, waiting
from deliveries.work.clock import Clock, database_time
from deliveries.work.wall import Wall
from jobs import licence, verdicts, watermarks
from jobs.fetching import fetch_all
from jobs.matching import FreshJobs, Key, match
from jobs.prepared_searches import make_ready
from jobs.sources import configured
from jobs.watermarks import Standing

log = logging.getLogger(__name__)
LEASE = "scan"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanOptions:
    """What a scan was asked: only work (no fetching, no lease), every source although one in
    trouble is not due yet, only one user, or only local scores whatever the settings name."""

    work_only: bool = False
    local_only: bool = False
    every_source: bool = False
    user_id: str | None = None


def scan(clock: Clock, wall: Wall, options: ScanOptions = ScanOptions()) -> ScanSummary:
    """Fetch, judge, record and mail; what came of it.

    The lease keeps two scans from doing the same work twice; nothing depends on it.
    """
    seconds = 0 if options.work_only else settings.SCOUT_LEASE_SECONDS
    token = lease.take(LEASE, seconds)
    if token is None:
        return ScanSummary(skipped="previous run in flight", seconds=round(wall.elapsed, 3))
    with commit("scan: begin"):
        run = Run.objects.create(kind="scan", started_at=clock.now())
    try:
        with Post(wall, clock) as post:
            scanner = _Scan(clock, wall, post, options)
            scanner.work()
        scanner.summary.seconds = round(wall.elapsed, 3)
        with commit("scan: end"):
            Run.objects.filter(pk=run.pk).update(
                finished_at=clock.now(), summary=scanner.summary.as_json()
            )
        return scanner.summary
    finally:
        if token:
            lease.release(LEASE, token)


@dataclass
class _Scan:
    clock: Clock
    wall: Wall
    post: Post
    options: ScanOptions
    summary: ScanSummary = field(default_factory=ScanSummary)
    newest: int = 0
    jobs: tuple[int, FreshJobs] | None = None

    def __post_init__(self) -> None:
        self.model = ModelJudge(self.clock, self.wall, local_only=self.options.local_only)

    def work(self) -> None:
        user = self.options.user_id
        self._sweep()
        if not self.options.work_only:
            self._fetch()
        started = database_time()  # whoever was visited before the fetch is visited again
        now = self.clock.now()
        self.newest = watermarks.newest_revision()
        if self.wall.leaves(0):
            for block in blocks(started=started, now=now, user_id=user):
                self._visit(block)
                if not self.wall.leaves(0):
                    break
        self.summary.users_left += waiting(started=started, user_id=user)
        self.summary.mail = "down" if self.post.down else "ok"
        self.model.tell(self.summary)

    @property
    def _fresh(self) -> timedelta:
        return timedelta(hours=settings.SCOUT_FRESH_HOURS)

    def _sweep(self) -> None:
        licence.end_periods(self.clock.now())
        swept = ledger.sweep(now=self.clock.now(), fresh=self._fresh)
        self.summary.unconfirmed += swept.unconfirmed
        self.summary.expired += swept.expired

    def _fetch(self) -> None:
        found = fetch_all(
            configured(settings.SCOUT_SOURCES),
            now=self.clock.now(),
            every_one=self.options.every_source,
            in_time=lambda: self.wall.leaves(self.wall.seconds / 2),  # the rest is for mail
        )
        self.summary.fetched, self.summary.new_jobs = found.fetched, found.new_jobs
        self.summary.rejected, self.summary.sources = found.rejected, found.sources

    def _visit(self, block: dict[str, bool]) -> None:
        """Judge and record a block, then mail its users."""
        matched = [user for user, is_matched in block.items() if is_matched]
        standing = watermarks.standings(matched, now=self.clock.now())
        standing = self.model.stand_back(standing)
        jobs = self._jobs_after(min((s.judged_to for s in standing.values()), default=self.newest))
        # When this cannot be read the run ends here: nothing is mailed on a guess.
        self._judge(standing, jobs, settled(list(standing), jobs))
        self._mail(_to_mail(list(block)))
        self.summary.users_done += len(block)
        end_visit(block)

    def _jobs_after(self, revision: int) -> FreshJobs:
        """The fresh jobs changed since then; users who stand alike share one table."""
        if self.jobs is None or self.jobs[0] != revision:
            found = verdicts.fresh_jobs(now=self.clock.now(), fresh=self._fresh, after=revision)
            self.jobs = (revision, found)
        return self.jobs[1]

    def _judge(self, standing: dict[str, Standing], jobs: FreshJobs, done: frozenset[Key]) -> None:
        """A user nobody can judge must not stop the others: a failing block is halved."""
        try:
            self._judge_block(standing, jobs, done)
        except Exception as error:  # noqa: BLE001 -- the boundary between users
            users = list(standing.items())
            if len(users) > 1:
                middle = len(users) // 2
                self._judge(dict(users[:middle]), jobs, done)
                self._judge(dict(users[middle:]), jobs, done)
            else:
                self._note("a user could not be judged", error)

    def _judge_block(
        self, standing: dict[str, Standing], jobs: FreshJobs, done: frozenset[Key]
    ) -> None:
        now, users = self.clock.now(), list(standing)
        self.model.end_waits(users, fresh=self._fresh)
        searches = verdicts.searches_of(users, {u: s.judged_to for u, s in standing.items()})
        if jobs.ids:
            make_ready(searches)
        known = verdicts.known_scores(users, jobs)
        matched = match(searches, jobs, known=known, settled=done, now=now)
        local = matched
        matched, kept = self.model.judge(matched, searches, jobs, fresh=self._fresh)
        # Two transactions: one locks users, the other preferences first, as deletion does.
        kept += verdicts.keep(matched.new, searches, jobs, now=now)
        due = matched.due
        if kept < len(local.new):  # some wait, or another worker's verdict was there before
            due = verdicts.due_as_stored(local, searches, jobs)
        rows = [
            ledger.NewRow(
                user_id=searches[m.row].user_id,
                job_id=jobs.ids[m.col],
                score=m.score,
                threshold=searches[m.row].terms.min_score,
                title=jobs.table.postings[m.col].title,
            )
            for m in due
        ]
        queued = ledger.record(rows, now=now)
        if jobs.complete:
            watermarks.note_judged(standing, self.newest, now=now)
        self.model.forget(users, fresh=self._fresh)
        self.summary.candidates += matched.candidates
        self.summary.verdicts += kept
        self.summary.queued += len(queued)

    def _mail(self, users: Sequence[str]) -> None:
        for done, user in enumerate(users):
            if not self.post.in_time:
                self.summary.users_left += len(users) - done
                return
            try:
                self._count(send_alert(user, self.post, fresh=self._fresh))
            except Exception as error:  # noqa: BLE001 -- the boundary between users
                self._note("a user could not be mailed", error)

    def _count(self, sent: Sent) -> None:
        self.summary.mails_sent += sent.mails
        self.summary.jobs_sent += sent.jobs
        self.summary.failed += sent.failed
        self.summary.unconfirmed += sent.unconfirmed
        self.summary.expired += sent.expired

    def _note(self, what: str, error: Exception) -> None:
        self.summary.errors += 1
        log.error("%s: %s", what, type(error).__name__, exc_info=error)
        connection.close_if_unusable_or_obsolete()  # the next user gets a new one


def _to_mail(users: list[str]) -> list[str]:
    """Those with instant rows queued; whose mails came back last time come last, so that a few
    people nobody can write to never stand in everybody's way."""
    queued = Delivery.objects.filter(user_id__in=users, status="queued", route="instant")
    by_user = queued.values("user_id").annotate(tries=Max("attempts"))
    return list(by_user.order_by("tries", "user_id").values_list("user_id", flat=True))


def settled(users: list[str], jobs: FreshJobs) -> frozenset[Key]:
    """The (user, job) pairs of this block that have a ledger row, whatever its status."""
    rows = Delivery.objects.filter(user_id__in=users, job_id__in=list(jobs.ids))
    return frozenset(rows.values_list("user_id", "job_id"))

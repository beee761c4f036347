"""One digest tick: freeze what is due, send frozen bytes until they are accepted, then notes."""

import logging
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db import Error, connection
from django.db.models import Case, Exists, OuterRef, When

from accounts.boundaries import commit
from accounts.models import Preferences
from deliveries import ledger, routing
from deliveries.alerts import Sent, sent_of
from deliveries.models import Delivery, Run
from deliveries.sending.failures import Outcome
from deliveries.sending.post import Post
from deliveries.sending.send_result import SendResult
from deliveries.statuses import MailStatus
from deliveries.summaries import DigestSummary
from deliveries.weekly import send_notes
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import licence

log = logging.getLogger(__name__)

# Mails that met trouble come last, so that a few people nobody can write to, who would open the
# breaker again at every tick, never stand in everybody's way.
_TROUBLED_LAST = Case(When(error="", then=0), default=1)


def digest(clock: Clock, wall: Wall) -> DigestSummary:
    """Freeze every digest whose local hour has come, send every frozen one; what came of it."""
    with commit("digest: begin a tick"):
        run = Run.objects.create(kind="digest", started_at=clock.now())
    with Post(wall, clock) as post:
        tick = _Tick(clock, wall, post)
        tick.work()
    tick.summary.seconds = round(wall.elapsed, 3)
    with commit("digest: end a tick"):
        Run.objects.filter(pk=run.pk).update(
            finished_at=clock.now(), summary=tick.summary.as_json()
        )
    return tick.summary


@dataclass
class _Tick:
    clock: Clock
    wall: Wall
    post: Post
    summary: DigestSummary = field(default_factory=DigestSummary)

    def work(self) -> None:
        now = self.clock.now()
        fresh = timedelta(hours=settings.SCOUT_FRESH_HOURS)
        licence.end_periods(now)
        swept = ledger.sweep(now=now, fresh=fresh)
        self.summary.unconfirmed += swept.unconfirmed
        self.summary.expired += swept.expired
        self._freeze(now)
        self._send(self.clock.now())
        notes, left = send_notes(self.post, self._note)  # last: no digest waits for one
        self._count(notes)
        self.summary.users_left += left
        self.summary.mail = "down" if self.post.down else "ok"

    def _freeze(self, now: datetime) -> None:
        found = due_users(now)
        self.summary.errors += found.broken
        ledger.skip_day(found.idle)
        try:
            self._freeze_each(found.due)
        finally:
            self.summary.expired += ledger.filtered_out(found.due, since=now)

    def _freeze_each(self, due: list[str]) -> None:
        for done, user in enumerate(due):
            if not self.wall.leaves(0):
                self.summary.users_left += len(due) - done
                return
            try:
                ledger.freeze(user, now=self.clock.now())
            except Exception as error:  # noqa: BLE001 -- the boundary between users
                self._note("a digest could not be frozen", error)

    def _send(self, now: datetime) -> None:
        mails = list(
            ledger.due(now)
            .order_by(_TROUBLED_LAST, "next_attempt_at", "pk")
            .values_list("pk", flat=True)
        )
        self.summary.due = len(mails) + self.summary.users_left
        for done, mail_id in enumerate(mails):
            if not self.post.ready():
                self.summary.users_left += len(mails) - done
                return
            try:
                self._count(send_digest(mail_id, self.post))
            except Exception as error:  # noqa: BLE001 -- the boundary between users
                self._note("a digest could not be sent", error)

    def _count(self, sent: Sent) -> None:
        self.summary.mails_sent += sent.mails
        self.summary.jobs_sent += sent.jobs
        self.summary.failed += sent.failed
        self.summary.unconfirmed += sent.unconfirmed

    def _note(self, what: str, error: Exception) -> None:
        self.summary.errors += 1
        log.error("%s: %s", what, type(error).__name__, exc_info=error)
        connection.close_if_unusable_or_obsolete()  # the next user gets a new one


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """Users whose local hour has come: with rows queued, or (daily ones, with the date) without.

    `broken` counts those nobody can tell it of, such as for a time zone that is none.
    """

    due: list[str]
    idle: dict[str, date]
    broken: int


def due_users(now: datetime) -> Due:
    """Whose digest is due: because daily rows are queued, whatever the mode is now."""
    queued = Delivery.objects.filter(user_id=OuterRef("pk"), status="queued", route="daily")
    everyone = Preferences.objects.annotate(has_rows=Exists(queued)).filter(
        user__is_active=True, user__suppression=None
    )
    due: list[str] = []
    idle: dict[str, date] = {}
    broken = 0
    for row in everyone.order_by("pk"):
        try:
            day = routing.digest_day(row.terms(), now, row.last_digest_on)
        except Exception as error:
            log.error("a digest day could not be told: %s", type(error).__name__, exc_info=error)
            broken += 1
            continue
        if day is not None and row.has_rows:
            due.append(row.pk)
        elif day is not None and row.mode == "daily":
            idle[row.pk] = day
    return Due(due=due, idle=idle, broken=broken)


def send_digest(mail_id: str, post: Post) -> Sent:
    """Send one frozen digest while its row is held, and mark it in the same transaction.

    A crash before the commit leaves it frozen: the next tick sends the same bytes again.
    """
    outcome: Outcome | None = None
    try:
        begun = ledger.begin(mail_id, now=post.clock.now())
        if begun is None:
            return Sent()
        with commit("digest: mark", durable=True):
            held = ledger.hold(begun, now=post.clock.now())
            if not isinstance(held, ledger.Held):
                return Sent()
            outcome, result = post.send(held.mail, held.user_id)
            return _settle(held, outcome, result, now=post.clock.now())
    except Error:
        if outcome != Outcome.ACCEPTED:
            raise
        # It left, but the mark was rolled back: say so once more on a new connection.
        connection.close()
        rows = ledger.finish(mail_id, "sent", now=post.clock.now(), expected=("sealed",))
        return sent_of("sent", rows)


def _settle(held: ledger.Held, outcome: Outcome, result: SendResult, *, now: datetime) -> Sent:
    if outcome in (Outcome.ACCEPTED, Outcome.REFUSED_PERSON):
        # A refusal now says nothing about an earlier attempt that may have left.
        refused: MailStatus = "unconfirmed" if held.doubtful else "failed"
        end: MailStatus = "sent" if outcome == Outcome.ACCEPTED else refused
        rows = ledger.finish(
            held.mail.envelope,
            end,
            now=now,
            expected=("sealed",),
            provider_id=result.provider_id,
            error=result.error,
        )
        return sent_of(end, rows)
    if outcome == Outcome.REFUSED_EVERYONE:
        ledger.pass_over(held, now=now, error=result.error)
    else:
        doubtful = outcome == Outcome.UNKNOWN
        ledger.put_off(
            held, now=now, doubtful=doubtful, retry_after=result.retry_after, error=result.error
        )
    return Sent()

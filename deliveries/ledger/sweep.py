"""What every tick tidies: in-between states that nobody will finish any more."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.boundaries import commit
from deliveries import routing
from deliveries.ledger.attempts import stop
from deliveries.ledger.finish import finish
from deliveries.models import Delivery, Mail
from deliveries.statuses import CARRY_JOBS, ExpiryReason, MailStatus

# Rows in somebody's hands are passed over: they are not abandoned, and a sweep that never waits
# deadlocks with nobody.
_STALE_ALERTS: Final = """
WITH gone AS (
    SELECT d.id
    FROM deliveries_delivery d
    JOIN jobs_job j ON j.id = d.job_id
    JOIN accounts_preferences p ON p.user_id = d.user_id
    WHERE d.status = 'queued' AND d.route = 'instant'
      AND j.dated_at < %(now)s - %(fresh)s - CASE
            WHEN p.quiet_from IS NULL THEN interval '0'
            WHEN p.quiet_from < p.quiet_until THEN p.quiet_until - p.quiet_from
            ELSE p.quiet_until - p.quiet_from + interval '24 hours' END
    FOR UPDATE OF d SKIP LOCKED
)
UPDATE deliveries_delivery d SET status = 'expired', reason = 'stale', changed_at = %(now)s
FROM gone WHERE d.id = gone.id AND d.status = 'queued'
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """How many rows a sweep settled."""

    unconfirmed: int = 0
    expired: int = 0

    def __add__(self, other: "Swept") -> "Swept":
        return Swept(self.unconfirmed + other.unconfirmed, self.expired + other.expired)


def sweep(*, now: datetime, fresh: timedelta) -> Swept:
    """Settle mails whose sender is gone, end old digests, expire what nobody will mail."""
    return (
        _settle_abandoned_alerts(now)
        + _end_old_digests(now)
        + _end_opted_out(now)
        + _expire_stale_alerts(now, fresh)
        + _expire_old_daily(now)
    )


def sender_is_gone_after() -> timedelta:
    """How old an alert in `sending` is when its sender cannot be alive: opening and sending have
    each their time limit, and rendering and the database get a margin."""
    return timedelta(seconds=2 * float(settings.EMAIL_TIMEOUT or 15) + 90)


def _settle_abandoned_alerts(now: datetime) -> Swept:
    # One from the future was claimed by a clock that was wrong; it may be as old as any.
    alive = (now - sender_is_gone_after(), now + sender_is_gone_after())
    gone = Mail.objects.filter(status="sending").exclude(created_at__range=alive)
    ids = list(gone.order_by("pk").values_list("pk", flat=True))
    error, unconfirmed = "the sender is gone: nobody knows whether it left", 0
    for id_ in ids:
        with commit("sweep: an abandoned alert"):
            if _locked(id_, "sending"):
                unconfirmed += finish(id_, "unconfirmed", now=now, error=error)
    return Swept(unconfirmed=unconfirmed)


def _end_old_digests(now: datetime) -> Swept:
    """After a day of trying: a doubtful digest is unconfirmed, else its rows wait again."""
    unconfirmed = 0
    old = Mail.objects.filter(status="sealed", created_at__lt=now - routing.DIGEST_LIFE)
    for id_ in list(old.order_by("pk").values_list("pk", flat=True)):
        with commit("sweep: an old digest"):
            if mail := _locked(id_):
                unconfirmed += _end_old(mail, now)
    return Swept(unconfirmed=unconfirmed)


def _end_old(mail: Mail, now: datetime) -> int:
    moved = finish(
        mail.pk,
        "unconfirmed" if mail.doubtful else "void",
        now=now,
        expected=["sealed"],
        error=mail.error,
        attempted=False,
    )
    return moved if mail.doubtful else 0


def _locked(mail_id: str, status: MailStatus = "sealed") -> Mail | None:
    """An open mail for this transaction alone; None while somebody has it in hand."""
    mails = Mail.objects.select_for_update(skip_locked=True, no_key=True).defer("body")
    return mails.filter(pk=mail_id, status=status).first()


def _end_opted_out(now: datetime) -> Swept:
    swept = Swept()
    opted_out = Q(user__suppression__isnull=False) | Q(user__is_active=False)
    digests = Mail.objects.filter(opted_out, status="sealed").order_by("pk")
    for id_ in list(digests.values_list("pk", flat=True)):
        with commit("sweep: an opted-out digest"):
            if mail := _locked(id_):
                moved = stop(id_, doubtful=mail.doubtful, now=now)
                swept += Swept(unconfirmed=moved) if mail.doubtful else Swept(expired=moved)
    return swept + _expire(Delivery.objects.filter(opted_out), "opted out", now)


def _expire_stale_alerts(now: datetime, fresh: timedelta) -> Swept:
    params: dict[str, Any] = {"now": now, "fresh": fresh}
    with commit("sweep: stale alerts"), connection.cursor() as cursor:
        cursor.execute(_STALE_ALERTS, params)
        return Swept(expired=cursor.rowcount)


def _expire_old_daily(now: datetime) -> Swept:
    """48 hours without a digest that took it: over the cap if others were mailed, else stale."""
    old = Delivery.objects.filter(route="daily", queued_at__lt=now - routing.DAILY_LIFE)
    jobs = Mail.objects.filter(user_id=OuterRef("user_id"), kind__in=CARRY_JOBS)
    later = jobs.filter(created_at__gte=OuterRef("queued_at"))
    others = Exists(later.exclude(status="void"))
    crowded_out = _expire(old.filter(others), "over the cap", now)
    return crowded_out + _expire(old.filter(~others), "stale", now)


def _expire(rows: "QuerySet[Delivery]", reason: ExpiryReason, now: datetime) -> Swept:
    free = rows.filter(status="queued").select_for_update(skip_locked=True, of=("self",))
    gone = Delivery.objects.filter(pk__in=free.values("pk"), status="queued")
    with commit("sweep: expire"):
        return Swept(expired=gone.update(status="expired", reason=reason, changed_at=now))

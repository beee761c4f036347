"""What every tick tidies: in-between states that nobody will finish any more."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from deliveries import routing
from deliveries.ledger.digests import stop
from deliveries.ledger.finish import finish
from deliveries.models import Delivery, Mail

# An alert still "sending" after this long has no living sender: a send has its own time limit.
SEND_LIMIT = timedelta(seconds=60)
SENDER_IS_GONE = SEND_LIMIT + timedelta(seconds=60)

_STALE_ALERTS = """
UPDATE deliveries_delivery d
SET status = 'expired', reason = 'stale', changed_at = %(now)s
FROM jobs_job j, accounts_preferences p
WHERE d.status = 'queued' AND d.route = 'instant'
  AND j.id = d.job_id AND p.user_id = d.user_id
  AND j.dated_at < %(now)s - %(fresh)s - CASE
        WHEN p.quiet_from IS NULL THEN interval '0'
        WHEN p.quiet_from < p.quiet_until THEN p.quiet_until - p.quiet_from
        ELSE p.quiet_until - p.quiet_from + interval '24 hours' END
"""


@dataclass(frozen=True, slots=True)
class Swept:
    """How many rows a sweep settled."""

    unconfirmed: int = 0
    expired: int = 0


def sweep(*, now: datetime, fresh: timedelta) -> Swept:
    """Settle alerts whose sender is gone, end old digests, expire what nobody will mail."""
    unconfirmed = _settle_abandoned_alerts(now)
    unconfirmed += _end_old_digests(now)
    expired = _end_opted_out(now)
    with connection.cursor() as cursor:
        cursor.execute(_STALE_ALERTS, {"now": now, "fresh": fresh})
        expired += cursor.rowcount
    expired += _expire_old_daily(now)
    return Swept(unconfirmed, expired)


def _each_locked(mails: "QuerySet[Mail]") -> "QuerySet[Mail]":
    # A mail in somebody's hands is not abandoned.
    return mails.select_for_update(skip_locked=True, no_key=True).order_by("pk")


def _settle_abandoned_alerts(now: datetime) -> int:
    with transaction.atomic():
        gone = Mail.objects.filter(status="sending", created_at__lt=now - SENDER_IS_GONE)
        return sum(
            finish(mail.pk, "unconfirmed", now=now, error=mail.error or "the sender is gone")
            for mail in _each_locked(gone)
        )


def _end_old_digests(now: datetime) -> int:
    """After a day of trying: a doubtful digest is unconfirmed, else its rows wait again."""
    unconfirmed = 0
    with transaction.atomic():
        old = Mail.objects.filter(status="sealed", created_at__lt=now - routing.DIGEST_LIFE)
        for mail in _each_locked(old):
            moved = finish(
                mail.pk,
                "unconfirmed" if mail.doubtful else "void",
                now=now,
                expected=["sealed"],
                error=mail.error,
            )
            unconfirmed += moved if mail.doubtful else 0
    return unconfirmed


def _opted_out() -> Q:
    return Q(user__suppression__isnull=False) | Q(user__is_active=False)


def _end_opted_out(now: datetime) -> int:
    with transaction.atomic():
        ended = sum(
            stop(mail.pk, doubtful=mail.doubtful, now=now)
            for mail in _each_locked(
                Mail.objects.filter(
                    Exists(Delivery.objects.filter(_opted_out(), mail=OuterRef("pk"))),
                    status="sealed",
                )
            )
        )
        rows = Delivery.objects.filter(_opted_out(), status="queued")
        ids = list(rows.values_list("pk", flat=True))
        return ended + Delivery.objects.filter(pk__in=ids, status="queued").update(
            status="expired", reason="opted out", changed_at=now
        )


def _expire_old_daily(now: datetime) -> int:
    """48 hours without a digest that took it: over the cap if there was one, else stale."""
    old = Delivery.objects.filter(
        status="queued", route="daily", queued_at__lt=now - routing.DAILY_LIFE
    )
    digested = Mail.objects.filter(
        user_id=OuterRef("user_id"), kind="digest", created_at__gte=OuterRef("queued_at")
    )
    done = {"status": "expired", "changed_at": now}
    crowded = old.filter(Exists(digested)).update(reason="over the cap", **done)
    return crowded + old.filter(~Exists(digested)).update(reason="stale", **done)

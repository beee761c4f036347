"""What the ledger's tests look at: whole rows, and people with rows in the queue."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from accounts.models import User
from deliveries.envelopes import alert_envelope, digest_envelope
from deliveries.models import Delivery, Mail
from tests.factories import NOON, JobFactory, queued

DAY = timedelta(hours=24)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)

Row = tuple[Any, ...]


def rows() -> list[Row]:
    """The ledger by id: id, status, route, mail, reason, attempts, time of sending."""
    found = Delivery.objects.order_by("pk")
    return list(
        found.values_list("id", "status", "route", "mail_id", "reason", "attempts", "sent_at")
    )


def row(id_: str, status: str, route: str = "instant", **values: Any) -> Row:
    """One row as `rows` returns it; mail, reason, attempts and sent_at are none unless given."""
    expected = {"mail": None, "reason": "", "attempts": 0, "sent_at": None, **values}
    return (id_, status, route, *expected.values())


def mails() -> list[Row]:
    """The mails by time: id, kind, status, jobs, attempts, doubtful, whether there are bytes."""
    found = Mail.objects.order_by("created_at", "pk")
    names = ("id", "kind", "status", "jobs", "attempts", "doubtful")
    return [(*values, body is not None) for *values, body in found.values_list(*names, "body")]


def mail(id_: str, kind: str, status: str, jobs: int = 1, **values: Any) -> Row:
    """One mail as `mails` returns it."""
    expected = {"attempts": 0, "doubtful": False, "bytes": status in ("sealed", "sending")}
    return (id_, kind, status, jobs, *{**expected, **values}.values())


def alert_id(*ids: str, attempt: int = 1) -> str:
    """The envelope of the alert with these rows."""
    return alert_envelope(ids, attempt, key=settings.SECRET_KEY)


def digest_id(user: User, at: datetime = NOON) -> str:
    """The envelope of the digest of this UTC date."""
    user.refresh_from_db(fields=["date_joined"])  # the database's own
    return digest_envelope(user.pk, at.date(), joined_at=user.date_joined, key=settings.SECRET_KEY)


def queue(user: User, *scores: int, **values: Any) -> list[str]:
    """New ledger rows with these scores, of jobs first seen ten minutes before noon; their ids."""
    seen = values.pop("first_seen", NOON - 10 * MINUTE)
    jobs = [JobFactory.create(first_seen=seen) for _ in scores]
    given = {"queued_at": NOON, **values}
    return [queued(user, job, score, **given).pk for job, score in zip(jobs, scores, strict=True)]

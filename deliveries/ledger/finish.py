"""How a mail ends, and its rows with it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from django.db.models import Case, F, When

from accounts.boundaries import commit
from deliveries.models import Delivery, Mail
from deliveries.statuses import ROWS_FOLLOW, MailStatus


def finish(
    mail_id: str,
    status: MailStatus,
    *,
    now: datetime,
    expected: Sequence[MailStatus] = ("sending",),
    provider_id: str = "",
    error: str = "",
    attempted: bool = True,
) -> int:
    """End a mail that is in an expected status; how many rows went with it.

    0: it was in none, or it is a notice, which carries no row.
    Bytes are blanked.  `void` (it certainly did not leave) puts the rows back into the queue and
    counts the attempt; every other end is the rows' end too.  `attempted`: an attempt that was not
    counted yet came to this end.
    """
    end: dict[str, Any] = {
        "status": status,
        "body": None,
        "finished_at": now,
        "sent_at": now if status == "sent" else None,
        "next_attempt_at": None,
        "error": error,
    }
    if attempted:  # what is unconfirmed has had its attempt counted
        end["attempts"] = F("attempts") + Case(When(status="unconfirmed", then=0), default=1)
    if status != "unconfirmed":
        end["doubtful"] = False
    if provider_id:
        end["provider_id"] = provider_id
    with commit("mail: finish"):
        if not Mail.objects.filter(pk=mail_id, status__in=expected).update(**end):
            return 0
        return _move_rows(mail_id, status, now)


def settle(mail_id: str, end: Literal["sent", "failed"], *, now: datetime) -> int:
    """End an unconfirmed mail as staff know it did; how many rows went with it (0: it was not)."""
    before = Mail.objects.filter(pk=mail_id).values_list("error", flat=True).first()
    error = "" if end == "sent" else f"staff: it did not arrive; before that: {before}"[:500]
    return finish(mail_id, end, now=now, expected=["unconfirmed"], error=error)


def _move_rows(mail_id: str, status: MailStatus, now: datetime) -> int:
    rows = Delivery.objects.filter(mail_id=mail_id, status__in=["sealed", "unconfirmed"])
    if status == "void":
        return rows.update(status="queued", mail=None, attempts=F("attempts") + 1, changed_at=now)
    sent_at = now if status == "sent" else None
    return rows.update(status=ROWS_FOLLOW[status], sent_at=sent_at, changed_at=now)

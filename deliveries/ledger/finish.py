"""How a mail ends, and its rows with it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, F, When

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
    """End a mail that is in an expected status; how many rows went with it (0: it was not).

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
    with transaction.atomic():
        if not Mail.objects.filter(pk=mail_id, status__in=expected).update(**end):
            return 0
        return _move_rows(mail_id, status, now)


def _move_rows(mail_id: str, status: MailStatus, now: datetime) -> int:
    rows = Delivery.objects.filter(mail_id=mail_id, status__in=["sealed", "unconfirmed"])
    if status == "void":
        return rows.update(status="queued", mail=None, attempts=F("attempts") + 1, changed_at=now)
    sent_at = now if status == "sent" else None
    return rows.update(status=ROWS_FOLLOW[status], sent_at=sent_at, changed_at=now)

"""Sending alerts: claim, send, mark; at most once, whatever happens in between."""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.db import Error, connection

from deliveries import ledger
from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Outcome
from deliveries.sending.post import Post
from deliveries.statuses import MailStatus

log = logging.getLogger(__name__)

ENDS: dict[Outcome, MailStatus] = {
    Outcome.ACCEPTED: "sent",
    Outcome.NOTHING_LEFT: "void",
    Outcome.REFUSED_PERSON: "failed",
    Outcome.REFUSED_EVERYONE: "void",
    Outcome.REFUSED_NOW: "void",
    Outcome.UNKNOWN: "unconfirmed",
}


@dataclass(frozen=True, slots=True)
class Sent:
    """What sending came to: mails that left, and rows by what became of them."""

    mails: int = 0
    jobs: int = 0
    failed: int = 0
    unconfirmed: int = 0
    expired: int = 0

    def __add__(self, other: "Sent") -> "Sent":
        return Sent(
            self.mails + other.mails,
            self.jobs + other.jobs,
            self.failed + other.failed,
            self.unconfirmed + other.unconfirmed,
            self.expired + other.expired,
        )


def send_alert(user_id: str, post: Post, *, fresh: timedelta) -> Sent:
    """Mail the user's queued instant rows, if any may leave now.

    The connection is open before the claim, so that a dead server burns nothing.  Nothing stands
    between the claim's commit and the send but this line of code; a crash there loses one alert.
    """
    if not post.ready():
        return Sent()
    claimed = ledger.claim(user_id, now=post.clock.now(), fresh=fresh)
    if claimed is None or claimed.mail is None:
        return Sent(failed=claimed.failed, expired=claimed.expired) if claimed else Sent()
    end, rows = send_once(claimed.mail, user_id, post)
    return sent_of(end, rows) + Sent(expired=claimed.expired)


def send_once(mail: StoredMail, user_id: str, post: Post) -> tuple[MailStatus, int]:
    """Send a claimed mail and write down how it ended; that end, and how many rows had it too."""
    meaning, result = post.send(mail, user_id)
    end = ENDS[meaning]
    return end, _mark(mail, end, post, result.provider_id, result.error)


def _mark(mail: StoredMail, end: MailStatus, post: Post, provider_id: str, error: str) -> int:
    """Write down how it ended; when the database fails, once more on a new connection.

    If that fails too the mail stays `sending`, and a sweep turns it `unconfirmed`: it is never
    sent again.
    """
    for last in (False, True):
        try:
            return ledger.finish(
                mail.envelope,
                end,
                now=post.clock.now(),
                expected=("sending", "unconfirmed") if end == "sent" else ("sending",),
                provider_id=provider_id,
                error=error,
            )
        except Error:
            if last:
                raise
            log.warning("mail %s is %s, but the database failed; once more", mail.envelope, end)
            connection.close()
    raise AssertionError("unreachable")


def sent_of(end: MailStatus, rows: int) -> Sent:
    """Count a finished mail's rows by its end."""
    return Sent(
        mails=int(end == "sent"),
        jobs=rows if end == "sent" else 0,
        failed=rows if end == "failed" else 0,
        unconfirmed=rows if end == "unconfirmed" else 0,
    )

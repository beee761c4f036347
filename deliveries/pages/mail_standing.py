"""How mail stands with a user, in values for a page: whether it comes, what waits, what came."""

from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Q

from accounts.opting_out import standing
from accounts.person import Person
from deliveries import routing
from deliveries.messages.job_card import local_time
from deliveries.models import Delivery, Mail, MailProvider
from deliveries.statuses import CARRY_JOBS
from jobs.models import SourceState
from jobs.source_health import HEALTHY

_NEWEST: Final = 10
_KINDS: Final = {
    "alert": "Alert",
    "digest": "Digest",
    "sample": "Sample",
    "weekly": "Weekly note",
}
_ENDS: Final = {
    "sealed": "waits to be sent",
    "sending": "is being sent",
    "sent": "sent",
    "failed": "refused by the mail server",
    "unconfirmed": "perhaps sent: the sending was cut off",
    "void": "not sent",
}
_VOID: Final = "not sent; its jobs went back to wait"


def standing_of(person: Person, now: datetime) -> dict[str, Any]:
    """What the page tells of a user; five queries, and one more where mail is stopped."""
    terms, zone = person.terms, person.terms.timezone
    waiting = Delivery.objects.filter(user_id=person.user_id, status="queued").aggregate(
        instant=Count("pk", filter=Q(route="instant")), daily=Count("pk", filter=Q(route="daily"))
    )
    paused = terms.paused_until if routing.is_paused(terms, now) else None
    return {
        "standing": standing(person.opt_out_token) if person.suppressed else "on",
        "terms": terms,
        "address": person.email,
        "paused": long_time(paused, zone, now) if paused else "",
        "quiet": routing.is_quiet(terms, now),
        "next_digest": local_time(routing.next_digest(terms, now, person.last_digest_on), zone),
        "next_note": local_time(routing.next_note(terms, now), zone),
        "waiting": waiting,
        "mails": last_mails(person.user_id, zone),
        "mail_is_down": MailProvider.objects.filter(pk=settings.EMAIL_BACKEND, down=True).exists(),
        "source_is_down": SourceState.objects.exclude(state__in=HEALTHY).exists(),
    }


def long_time(moment: datetime, zone: str, now: datetime) -> str:
    """As `local_time`, with the year where it is not this one."""
    year = f" {moment.year}" if moment.year != now.year else ""
    day, _, clock = local_time(moment, zone).rpartition(", ")
    return f"{day}{year}, {clock}"


def last_mails(user_id: str, zone: str) -> list[dict[str, str]]:
    """The newest mails: what each was, when, and how it ended."""
    newest = Mail.objects.filter(user_id=user_id).order_by("-created_at", "pk")[:_NEWEST]
    rows = newest.values_list("kind", "subject", "status", "created_at", "sent_at")
    return [
        {
            "kind": _KINDS[kind],
            "subject": subject,
            "when": local_time(sent_at or created_at, zone),
            "end": _VOID if status == "void" and kind in CARRY_JOBS else _ENDS[status],
            "is_sent": "yes" if status == "sent" else "",
        }
        for kind, subject, status, created_at, sent_at in rows
    ]

"""How mail stands with a user, in values for a page: whether it comes, what waits, what came."""

from datetime import datetime
from typing import Any, Final

from django.db.models import Count, Q
from django.urls import reverse

from accounts.opting_out import standing as mail_stands
from accounts.person import Person
from deliveries import routing
from deliveries.messages.job_card import local_time
from deliveries.models import Delivery, Mail
from deliveries.standing import standing
from deliveries.statuses import CARRY_JOBS

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
    """What the page tells of a user: four queries, and one more where mail is stopped.

    Raises User.DoesNotExist.
    """
    terms, zone = person.terms, person.terms.timezone
    since = max(person.joined_at, person.jobs_from or person.joined_at)
    waiting = Delivery.objects.filter(user_id=person.user_id, status="queued").aggregate(
        instant=Count("pk", filter=Q(route="instant")), daily=Count("pk", filter=Q(route="daily"))
    )
    paused = terms.paused_until if routing.is_paused(terms, now) else None
    return {
        "standing": mail_stands(person.opt_out_token) if person.suppressed else "on",
        # A stop and a pause are this page's own matter: its heading tells of them.
        "notices": [
            notice
            for notice in standing(person.user_id, now=now).notices
            if notice.link != reverse("my-mail")
        ],
        "terms": terms,
        "address": person.email,
        "paused": long_time(paused, zone, now) if paused else "",
        "quiet": routing.is_quiet(terms, now),
        "next_digest": local_time(routing.next_digest(terms, now, person.last_digest_on), zone),
        "next_note": local_time(routing.next_note(terms, now, since=since), zone),
        "waiting": waiting,
        "mails": last_mails(person.user_id, zone),
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

"""Claiming an alert: the committed step after which exactly one process may send it."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import connection

from accounts.boundaries import commit
from accounts.person import Person, read_person
from deliveries import compose, routing
from deliveries.envelopes import alert_envelope
from deliveries.ledger.allowance import mailed_today
from deliveries.ledger.finish import finish
from deliveries.ledger.refilter import expire_unwanted
from deliveries.messages import Rendered
from deliveries.messages.mail_bytes import AddressError
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Delivery, Mail

log = logging.getLogger(__name__)

# Best first; rows some other process is moving right now are its business.
_PICK: Final = """
SELECT d.id, d.attempts
FROM deliveries_delivery d JOIN jobs_job j ON j.id = d.job_id
WHERE d.user_id = %(user)s AND d.status = 'queued' AND d.route = 'instant'
  AND j.dated_at >= %(horizon)s AND d.attempts < %(attempts)s AND NOT d.id = ANY(%(without)s)
ORDER BY d.score DESC, d.job_id
FOR UPDATE OF d SKIP LOCKED
"""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A mail to send now, at most once, and how many rows nobody wanted any more.

    Without a mail, `failed` counts the rows that failed for want of an address.
    """

    mail: StoredMail | None
    failed: int = 0
    expired: int = 0


def claim(user_id: str, *, now: datetime, fresh: timedelta) -> Claimed | None:
    """Take the user's queued instant rows as one mail, committed before this returns.

    Pause, quiet hours, opt-out, the day's cap and the filters are read again in the same
    transaction.  What no search lets through any more expires; what the cap leaves over goes to the
    digest.  None: nothing to send, or somebody else took it.  A mail
    returned here must be sent at most once, and only after this returned: when the commit's reply
    is lost this raises, and nothing is sent.  Jobs that cannot be written into a mail stay queued.
    """
    try:
        return _claim(user_id, now, fresh, without=frozenset())
    except compose.PoisonedJobsError as error:
        log.exception("the alert leaves them out: %s", sorted(error.ids))
        return _claim(user_id, now, fresh, without=error.ids)


def _claim(
    user_id: str, now: datetime, fresh: timedelta, *, without: frozenset[str]
) -> Claimed | None:
    with commit("alert: claim", durable=True):
        person = read_person(user_id, lock=True)
        if person is None or not person.may_be_mailed or not routing.alerts_flow(person.terms, now):
            return None
        queued = dict(_pick(person, now, fresh, without))
        wanted = expire_unwanted(user_id, list(queued), now=now)
        picked = [(id_, queued[id_]) for id_ in wanted]
        expired = len(queued) - len(picked)
        allowance = routing.allowance(person.terms, mailed_today(person, now))
        over = [id_ for id_, _ in picked[allowance:]]
        Delivery.objects.filter(pk__in=over, status="queued").update(route="daily", changed_at=now)
        taken = picked[: min(allowance, routing.ALERT_JOBS)]
        if taken:
            return replace(_seal(person, taken, now), expired=expired)
        return Claimed(None, expired=expired) if expired else None


def _pick(
    person: Person, now: datetime, fresh: timedelta, without: frozenset[str]
) -> list[tuple[str, int]]:
    params: dict[str, Any] = {
        "user": person.user_id,
        "horizon": routing.alert_horizon(person.terms, now, fresh),
        "attempts": routing.ALERT_ATTEMPTS,
        "without": list(without),
    }
    with connection.cursor() as cursor:
        cursor.execute(_PICK, params)
        return [(id_, attempts) for id_, attempts in cursor.fetchall()]


def _seal(person: Person, taken: list[tuple[str, int]], now: datetime) -> Claimed:
    ids = [id_ for id_, _ in taken]
    attempt = max(attempts for _, attempts in taken) + 1
    envelope = alert_envelope(ids, attempt, key=settings.SECRET_KEY)
    rendered, unaddressable = Rendered("", b""), ""
    try:
        rendered = compose.alert(person, ids, envelope=envelope, now=now)
    except AddressError:
        unaddressable = "no mail can be addressed to this user"
    Mail.objects.create(
        id=envelope,
        user_id=person.user_id,
        kind="alert",
        recipient=person.email,
        subject=rendered.subject,
        jobs=len(ids),
        body=rendered.raw,
        status="sending",
        provider=settings.EMAIL_BACKEND,
        created_at=now,
    )
    sealed = Delivery.objects.filter(pk__in=ids, status="queued", mail=None).update(
        status="sealed", mail_id=envelope, changed_at=now
    )
    if sealed != len(ids):
        raise RuntimeError(f"Locked {len(ids)} rows for one alert but sealed {sealed}.")
    if unaddressable:
        return Claimed(None, finish(envelope, "failed", now=now, error=unaddressable))
    return Claimed(compose.stored(envelope, person.email, rendered.raw))

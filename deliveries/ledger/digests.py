"""Freezing a digest, and the steps of sending its bytes."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F

from accounts.models import Preferences
from accounts.person import Person, read_person
from deliveries import compose, routing
from deliveries.envelopes import digest_envelope
from deliveries.ledger.finish import finish
from deliveries.mail_bytes import AddressError
from deliveries.messages import Rendered
from deliveries.models import Delivery, Mail
from deliveries.stored_mail import StoredMail


def freeze(user_id: str, *, now: datetime) -> str | None:
    """Fix the bytes of the user's digest for the local date that is due; its envelope, or None.

    One committed transaction under the lock of the preferences row: each local date is taken once,
    also when there is nothing to send, and never while an earlier digest is still open.
    """
    with transaction.atomic(durable=True):
        person = read_person(user_id, lock=True)
        if person is None or not person.may_be_mailed:
            return None
        day = routing.digest_day(person.terms, now, person.last_digest_on)
        if day is None or Mail.objects.filter(user_id=user_id, status="sealed").exists():
            return None
        Preferences.objects.filter(pk=user_id).update(last_digest_on=day)
        queued = Delivery.objects.select_for_update().filter(
            user_id=user_id, status="queued", route="daily"
        )
        ids = list(queued.order_by("-score", "job_id").values_list("id", flat=True))
        return _seal(person, ids, day, now) if ids else None


def _seal(person: Person, ids: list[str], day: date, now: datetime) -> str:
    size = routing.digest_size(person.terms)
    taken, waiting = ids[:size], len(ids[size:])
    envelope = digest_envelope(person.user_id, day, key=settings.SECRET_KEY)
    rendered, unaddressable = Rendered("", b""), ""
    try:
        rendered = compose.digest(
            person, taken, envelope=envelope, now=now, day=day, more_waiting=waiting
        )
    except AddressError:
        unaddressable = "no mail can be addressed to this user"
    Mail.objects.create(
        id=envelope,
        user_id=person.user_id,
        kind="digest",
        recipient=person.email,
        subject=rendered.subject,
        jobs=len(taken),
        body=rendered.raw,
        status="sealed",
        digest_on=day,
        provider=settings.EMAIL_BACKEND,
        next_attempt_at=now,
        created_at=now,
    )
    sealed = Delivery.objects.filter(pk__in=taken, status="queued", mail=None).update(
        status="sealed", mail_id=envelope, changed_at=now
    )
    if sealed != len(taken):
        raise RuntimeError(f"Locked {len(taken)} rows for one digest but sealed {sealed}.")
    if unaddressable:
        finish(envelope, "failed", now=now, expected=("sealed",), error=unaddressable)
    return envelope


def skip_day(due: dict[str, date]) -> int:
    """Note the local date as digested for users (uid to date) who have nothing queued."""
    skipped = 0
    for day in set(due.values()):
        users = [user for user, users_day in due.items() if users_day == day]
        nothing = Preferences.objects.filter(pk__in=users).exclude(last_digest_on__gte=day)
        skipped += nothing.exclude(
            user__deliveries__status="queued", user__deliveries__route="daily"
        ).update(last_digest_on=day)
    return skipped


@dataclass(frozen=True, slots=True)
class Held:
    """A frozen digest whose row this transaction holds."""

    mail: StoredMail
    user_id: str
    attempts: int
    doubtful: bool


def hold(mail_id: str, *, now: datetime) -> Held | Literal["stopped"] | None:
    """Lock one frozen digest for sending until the surrounding transaction ends.

    None: not due, finished, paused, or in somebody else's hands.  "stopped": the user had opted
    out, which ended it.  The user is read after the lock, so no send begins on an older answer.
    A crash while holding rolls back to "frozen, unsent" and frees the lock at once.
    """
    _let_the_send_take_its_time()
    found = (
        Mail.objects.select_for_update(skip_locked=True, no_key=True)
        .filter(pk=mail_id, status="sealed", next_attempt_at__lte=now)
        .first()
    )
    if found is None or found.body is None:
        return None
    person = read_person(found.user_id)
    if person is None or routing.is_paused(person.terms, now):
        return None
    if not person.may_be_mailed:
        stop(found.pk, doubtful=found.doubtful, now=now)
        return "stopped"
    mail = compose.stored(found.pk, found.recipient, bytes(found.body))
    return Held(mail, found.user_id, found.attempts, found.doubtful)


def _let_the_send_take_its_time() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute(
            "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'"
        )


def stop(mail_id: str, *, doubtful: bool, now: datetime) -> int:
    """End an open digest because its user opted out; how many rows went with it."""
    end: Literal["unconfirmed", "void"] = "unconfirmed" if doubtful else "void"
    ids = list(Delivery.objects.filter(mail_id=mail_id).values_list("id", flat=True))
    moved = finish(mail_id, end, now=now, expected=["sealed"], error="opted out")
    if moved and end == "void":
        Delivery.objects.filter(pk__in=ids, status="queued").update(
            status="expired", reason="opted out", changed_at=now
        )
    return moved


def put_off(
    held: Held, *, now: datetime, doubtful: bool, retry_after: float | None, error: str
) -> None:
    """Leave a held digest sealed and say when to try its bytes again."""
    later = now + routing.retry_delay(held.attempts + 1, retry_after)
    changes = {"next_attempt_at": later, "attempts": F("attempts") + 1, "error": error}
    if doubtful:
        changes["doubtful"] = True
    Mail.objects.filter(pk=held.mail.envelope, status="sealed").update(**changes)


def pass_over(held: Held, *, error: str) -> None:
    """Leave a held digest exactly as due as it was: the refusal was not about this mail."""
    Mail.objects.filter(pk=held.mail.envelope, status="sealed").update(error=error)

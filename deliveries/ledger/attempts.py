"""The steps of sending a frozen digest's bytes: begin, hold, and put off or stop."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import connection
from django.db.models import F, Q, QuerySet

from accounts.boundaries import commit
from accounts.person import read_person
from deliveries import compose, routing
from deliveries.ledger.finish import finish
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Delivery, Mail


@dataclass(frozen=True, slots=True)
class Begun:
    """An attempt that is written down; `doubtful`: an earlier one may have left.

    `number` counts the attempts of this mail that were begun, this one included.
    """

    mail_id: str
    doubtful: bool
    number: int


@dataclass(frozen=True, slots=True)
class Held:
    """A frozen digest whose row this transaction holds; `doubtful` as in `Begun`."""

    mail: StoredMail
    user_id: str
    attempts: int
    doubtful: bool


def begin(mail_id: str, *, now: datetime) -> Begun | None:
    """Write down, committed, that a send of this frozen digest begins: it may leave from now on.

    So a process killed in the middle leaves a doubtful mail behind, whose jobs must never go into
    another one.  None: not due, finished, or in somebody else's hands.
    """
    with commit("digest: begin", durable=True):
        found = _due(mail_id, now).defer("body").first()
        if found is None:
            return None
        _open(mail_id).update(doubtful=True, begun=F("begun") + 1)
        return Begun(mail_id, found.doubtful, found.begun + 1)


def hold(begun: Begun, *, now: datetime) -> Held | Literal["stopped"] | None:
    """Lock a digest that `begin` returned until the surrounding transaction ends.

    None: by now it is not due, finished, paused, or in somebody else's hands.  "stopped": the user
    had opted out, which ended it.  The user is read after the lock, so no send begins on an older
    answer.  A crash while holding rolls back to "frozen, unsent" and frees the lock at once.  When
    another attempt was begun since, that one may have left: the mail stays doubtful.
    """
    _let_the_send_take_its_time()
    found = _due(begun.mail_id, now).first()
    if found is None or found.body is None:
        return None
    doubtful = begun.doubtful or found.begun != begun.number
    person = read_person(found.user_id)
    if person is None or not person.may_be_mailed:
        stop(found.pk, doubtful=doubtful, now=now)
        return "stopped"
    if routing.is_paused(person.terms, now):
        with commit("digest: wait out a pause"):
            _open(found.pk).update(doubtful=doubtful)
        return None
    mail = compose.stored(found.pk, found.recipient, bytes(found.body))
    return Held(mail, found.user_id, found.attempts, doubtful)


def due(now: datetime) -> "QuerySet[Mail]":
    """The open digests whose next attempt has come; one further off than any wait was put there
    by a clock that was wrong, and has come too."""
    never = now + 2 * routing.LONGEST_WAIT
    has_come = Q(next_attempt_at__lte=now) | Q(next_attempt_at__gt=never)
    return Mail.objects.filter(has_come, status="sealed")


def _open(mail_id: str) -> "QuerySet[Mail]":
    return Mail.objects.filter(pk=mail_id, status="sealed")


def _due(mail_id: str, now: datetime) -> "QuerySet[Mail]":
    return due(now).filter(pk=mail_id).select_for_update(skip_locked=True, no_key=True)


def _let_the_send_take_its_time() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        # PostgreSQL 17 and later have this one too.
        cursor.execute(
            "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'"
        )


def stop(mail_id: str, *, doubtful: bool, now: datetime) -> int:
    """End an open digest because its user opted out; how many rows went with it."""
    end: Literal["unconfirmed", "void"] = "unconfirmed" if doubtful else "void"
    with commit("digest: stop"):
        ids = list(Delivery.objects.filter(mail_id=mail_id).values_list("pk", flat=True))
        moved = finish(
            mail_id, end, now=now, expected=["sealed"], error="opted out", attempted=False
        )
        if moved and end == "void":
            Delivery.objects.filter(pk__in=ids, status="queued").update(
                status="expired", reason="opted out", changed_at=now
            )
    return moved


def put_off(
    held: Held, *, now: datetime, doubtful: bool, retry_after: float | None, error: str
) -> None:
    """Leave a held digest sealed and say when to try its bytes again."""
    with commit("digest: put off"):
        _open(held.mail.envelope).update(
            next_attempt_at=now + routing.retry_delay(held.attempts + 1, retry_after),
            attempts=F("attempts") + 1,
            doubtful=doubtful or held.doubtful,
            error=error,
        )


def pass_over(held: Held, *, now: datetime, error: str) -> None:
    """Leave a held digest due, behind the others: the refusal was not about this mail."""
    with commit("digest: pass over"):
        _open(held.mail.envelope).update(next_attempt_at=now, doubtful=held.doubtful, error=error)

"""Freezing a digest: the step that fixes whose jobs, which day and which bytes."""

import logging
from datetime import date, datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet

from accounts.boundaries import commit
from accounts.models import Preferences
from accounts.person import Person, read_person
from deliveries import compose, routing
from deliveries.envelopes import digest_envelope
from deliveries.ledger.allowance import mailed_today
from deliveries.ledger.finish import finish
from deliveries.ledger.refilter import expire_unwanted, unwanted
from deliveries.messages import Rendered
from deliveries.messages.mail_bytes import AddressError
from deliveries.models import Delivery, Mail

log = logging.getLogger(__name__)


def freeze(user_id: str, *, now: datetime) -> str | None:
    """Fix the bytes of the user's digest for the local date that is due; its envelope, or None.

    One committed transaction under the lock of the preferences row: each local date is taken once,
    also when there is nothing to send, and never while an earlier digest is still open.  Jobs that
    no search lets through any more expire; those that cannot be written into a mail stay queued.
    """
    return _freeze_what_can_be_written(user_id, now, early=False)


def freeze_early(user_id: str, *, now: datetime) -> str | None:
    """As `freeze`, without waiting for the hour: the local date is then done.

    With nothing to send, the date stays open.
    """
    return _freeze_what_can_be_written(user_id, now, early=True)


def _freeze_what_can_be_written(user_id: str, now: datetime, *, early: bool) -> str | None:
    try:
        return _freeze(user_id, now, early=early, without=frozenset())
    except compose.PoisonedJobsError as error:
        log.exception("the digest leaves them out: %s", sorted(error.ids))
        return _freeze(user_id, now, early=early, without=error.ids)


def _freeze(user_id: str, now: datetime, *, early: bool, without: frozenset[str]) -> str | None:
    with commit("digest: freeze", durable=True):
        person = read_person(user_id, lock=True)
        if person is None or not person.may_be_mailed:
            return None
        day_of = routing.early_digest_day if early else routing.digest_day
        day = day_of(person.terms, now, person.last_digest_on)
        mails = Mail.objects.filter(user_id=user_id)
        if day is None or mails.filter(status="sealed").exists():
            return None
        best = _best(person).exclude(pk__in=without).select_for_update()
        ids = expire_unwanted(user_id, list(best.values_list("pk", flat=True)), now=now)
        taken, waiting = _fitting(person, now, ids)
        if taken or not early:
            Preferences.objects.filter(pk=user_id).update(last_digest_on=day)
        # A mail of that day: taken before, by a clock that was wrong.
        if not taken or mails.filter(digest_on=day).exists():
            return None
        return _seal(person, taken, waiting, day, now)


def choose(person: Person, now: datetime) -> tuple[list[str], int]:
    """The ledger ids a digest made now would hold, best first, and how many stay behind."""
    ids = list(_best(person).values_list("pk", flat=True))
    gone = unwanted(person.user_id, ids)
    return _fitting(person, now, [id_ for id_ in ids if id_ not in gone])


def _best(person: Person) -> "QuerySet[Delivery]":
    queued = Delivery.objects.filter(user_id=person.user_id, status="queued", route="daily")
    return queued.order_by("-score", "job_id")


def _fitting(person: Person, now: datetime, ids: list[str]) -> tuple[list[str], int]:
    size = routing.digest_size(person.terms, mailed_today(person, now))
    return ids[:size], len(ids[size:])


def _seal(person: Person, taken: list[str], waiting: int, day: date, now: datetime) -> str:
    envelope = digest_envelope(
        person.user_id, day, joined_at=person.joined_at, key=settings.SECRET_KEY
    )
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
        finish(envelope, "failed", now=now, expected=["sealed"], error=unaddressable)
    return envelope


def skip_day(due: dict[str, date]) -> int:
    """Note the local date as digested for users (uid to date) who have nothing queued.

    Preferences that somebody holds are left for the next tick; nothing can be queued for the
    others between the lock and the look at their queue.
    """
    queued = Delivery.objects.filter(user_id=OuterRef("pk"), status="queued", route="daily")
    skipped = 0
    with commit("digest: skip day"):
        locked = Preferences.objects.select_for_update(skip_locked=True, no_key=True)
        free = set(locked.filter(pk__in=due).values_list("pk", flat=True))
        for day in sorted(set(due.values())):
            users = [user for user, users_day in due.items() if users_day == day and user in free]
            nothing = Preferences.objects.filter(~Exists(queued), pk__in=users)
            skipped += nothing.update(last_digest_on=day)
    return skipped

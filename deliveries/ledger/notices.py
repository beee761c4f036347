"""Claiming a notice: a mail about jobs that carries no row of the ledger, sent at most once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Max, Q

from accounts.boundaries import commit
from accounts.person import Person, read_person
from deliveries import compose, routing
from deliveries.envelopes import sample_envelope, weekly_envelope
from deliveries.ledger.finish import finish
from deliveries.messages import Rendered
from deliveries.messages.mail_bytes import AddressError
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import Delivery, Mail

# Writes the notice: to whom, and under which envelope.
Write = Callable[[Person, str], Rendered]

_DAY: Final = timedelta(days=1)
_STILL_OPEN: Final = Q(status__in=["queued", "sealed"])


@dataclass(frozen=True, slots=True)
class Notice:
    """A claimed notice, to be sent at most once; without a mail nobody can be addressed."""

    envelope: str
    mail: StoredMail | None


@dataclass(frozen=True, slots=True)
class Week:
    """Whose week, its Monday, and when the seven days begin that its note tells of."""

    user_id: str
    monday: date
    begins: datetime


def claim_sample(
    user_id: str, press: str, write: Write, *, jobs: int, now: datetime
) -> Notice | None:
    """Take one press of a button as one mail with so many jobs, committed before this returns.

    Opt-out, pause and the day's limit are read again in the same transaction.  None: one of them
    forbids it, or this press was taken before.
    """
    with commit("sample: claim", durable=True):
        person = read_person(user_id, lock=True)
        if person is None or not person.may_be_mailed or routing.is_paused(person.terms, now):
            return None
        envelope = envelope_of_press(person, press)
        if Mail.objects.filter(pk=envelope).exists() or not samples_left(user_id, now=now):
            return None
        return _seal(person, envelope, write, now=now, kind="sample", jobs=jobs)


def envelope_of_press(person: Person, press: str) -> str:
    """The id of the sample that this press of the button makes."""
    key = settings.SECRET_KEY
    return sample_envelope(person.user_id, press, joined_at=person.joined_at, key=key)


def samples_left(user_id: str, *, now: datetime) -> int:
    """How many more samples the user may be mailed now, by those of the 24 hours before.

    Only exact while the preferences row is locked.
    """
    made = Mail.objects.filter(user_id=user_id, kind="sample", created_at__gt=now - _DAY)
    return max(0, routing.SAMPLES_A_DAY - made.count())


def claim_weekly(user_id: str, write: Write, *, now: datetime) -> Notice | None:
    """Take the user's note of this week as a mail, committed before this returns.

    Wish, pause, opt-out and what the ledger holds are read again in the same transaction, beside
    which nothing is queued for this user.  None: it is not due, or somebody else took it.
    """
    with commit("weekly: claim", durable=True):
        person = read_person(user_id, lock=True)
        if person is None or not person.may_be_mailed:
            return None
        since = max(person.joined_at, person.jobs_from or person.joined_at)
        monday = routing.week_of_note(person.terms, now, since=since)
        if monday is None:
            return None
        week = Week(user_id, monday, routing.note_begins(person.terms, monday))
        if user_id in without_note({user_id: week}, now=now):
            return None
        attempt = 1 + Mail.objects.filter(user_id=user_id, week_on=monday).count()
        envelope = weekly_envelope(
            user_id, monday, attempt, joined_at=person.joined_at, key=settings.SECRET_KEY
        )
        return _seal(person, envelope, write, now=now, kind="weekly", jobs=0, week_on=monday)


def without_note(weeks: Mapping[str, Week], *, now: datetime) -> frozenset[str]:
    """Which of these users (by uid) must not get the note of this week now.

    A job of theirs waits or is on its way, or came to any end within the note's seven days or
    since; or the note left, or may have; or it did not, and its next try is later.  As many
    queries for one user as for many.
    """
    return _had_jobs(weeks) | _noted(weeks, now)


def _had_jobs(weeks: Mapping[str, Week]) -> frozenset[str]:
    earliest = min((week.begins for week in weeks.values()), default=None)
    lately = _STILL_OPEN | Q(changed_at__gte=earliest)
    rows = Delivery.objects.filter(lately, user_id__in=list(weeks)).values_list("user_id")
    last_and_open = rows.annotate(last=Max("changed_at"), left=Count("pk", filter=_STILL_OPEN))
    return frozenset(
        user for user, last, left in last_and_open if left or last >= weeks[user].begins
    )


def _noted(weeks: Mapping[str, Week], now: datetime) -> frozenset[str]:
    mondays = {week.monday for week in weeks.values()}
    mails = Mail.objects.filter(kind="weekly", user_id__in=list(weeks), week_on__in=mondays)
    tried: dict[str, list[datetime]] = {}
    noted: set[str] = set()
    for user, monday, status, at in mails.values_list(
        "user_id", "week_on", "status", "finished_at"
    ):
        if monday != weeks[user].monday:
            continue
        if status == "void" and at is not None:
            tried.setdefault(user, []).append(at)
        else:
            noted.add(user)
    later = {
        user
        for user, ends in tried.items()
        if now < max(ends) + routing.retry_delay(len(ends), None)
    }
    return frozenset(noted | later)


def _seal(person: Person, envelope: str, write: Write, *, now: datetime, **values: Any) -> Notice:
    rendered, unaddressable = Rendered("", b""), ""
    try:
        rendered = write(person, envelope)
    except AddressError:
        unaddressable = "no mail can be addressed to this user"
    Mail.objects.create(
        id=envelope,
        user_id=person.user_id,
        recipient=person.email,
        subject=rendered.subject,
        body=rendered.raw,
        status="sending",
        provider=settings.EMAIL_BACKEND,
        created_at=now,
        **values,
    )
    if unaddressable:
        finish(envelope, "failed", now=now, error=unaddressable)
        return Notice(envelope, None)
    return Notice(envelope, compose.stored(envelope, person.email, rendered.raw))

"""One user's digest before its hour: how it would look, and sending it now."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection

from accounts.boundaries import undone
from accounts.person import Person, read_person
from deliveries import compose, ledger, routing
from deliveries.digest import send_digest
from deliveries.envelopes import digest_envelope
from deliveries.messages import Rendered
from deliveries.messages.mail_bytes import AddressError
from deliveries.models import Mail
from deliveries.sending.post import Post
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall

log = logging.getLogger(__name__)

_NO_TOKEN: Final = "not-shown-in-a-preview"  # noqa: S105 -- the opposite of one
_MARGIN: Final = 5.0


@dataclass(frozen=True, slots=True)
class Preview:
    """A digest as it would be written now: its jobs, and how many more wait.

    `rendered` is None when nothing would be in it, or when it cannot be written (`error`).
    """

    person: Person
    jobs: int
    waiting: int
    rendered: Rendered | None = None
    error: str = ""


def preview(user_id: str, *, now: datetime) -> Preview | None:
    """The digest a freeze would make now, without the link that stops mail; None: no such user.

    Writes nothing.
    """
    with undone():  # it would give a token to a user who has none
        person = read_person(user_id)
    if person is None:
        return None
    ids, waiting = ledger.choose(person, now)
    if not ids:
        return Preview(person, 0, waiting)
    day = now.astimezone(ZoneInfo(person.terms.timezone)).date()
    envelope = digest_envelope(user_id, day, joined_at=person.joined_at, key=settings.SECRET_KEY)
    nameless = replace(person, opt_out_token=_NO_TOKEN)
    try:
        rendered = compose.digest(
            nameless, ids, envelope=envelope, now=now, day=day, more_waiting=waiting
        )
    except (AddressError, compose.PoisonedJobsError) as error:
        return Preview(person, len(ids), waiting, error=f"It cannot be written: {error}.")
    return Preview(person, len(ids), waiting, rendered)


@dataclass(frozen=True, slots=True)
class Result:
    """What pressing "send now" came to, in a sentence, and the mail's id if there is a mail."""

    sent: bool
    sentence: str
    mail_id: str | None = None


def send_now(user_id: str, clock: Clock) -> Result:
    """Freeze this user's digest whatever the hour, and send it; its local date is then done.

    Through the steps of a digest tick, so that pressing twice, or a tick at the same time, mails
    nobody twice.  A digest frozen before and still open is the one that is tried.
    """
    wall = Wall(2 * float(settings.EMAIL_TIMEOUT) + _MARGIN)
    try:
        with Post(wall, clock) as post:
            if not post.ready():
                return Result(False, "The mail provider does not answer; nothing was changed.")
            mail_id = _open_digest(user_id) or ledger.freeze_early(user_id, now=clock.now())
            if mail_id is None:
                return Result(False, _why_not(user_id, clock.now()))
            send_digest(mail_id, post)
    except Exception as error:
        log.error("a digest could not be sent early: %s", type(error).__name__, exc_info=error)
        connection.close_if_unusable_or_obsolete()
        return Result(False, f"It broke off ({type(error).__name__}); what was frozen stays so.")
    return _came_to(mail_id)


def _open_digest(user_id: str) -> str | None:
    return (
        Mail.objects.filter(user_id=user_id, status="sealed").values_list("pk", flat=True).first()
    )


def _why_not(user_id: str, now: datetime) -> str:
    person = read_person(user_id)
    if person is None or not person.may_be_mailed:
        return "Mail to this user is stopped: nothing was sent."
    if routing.is_paused(person.terms, now):
        return f"The user has paused mail until {person.terms.paused_until:%Y-%m-%d %H:%M} UTC."
    if routing.early_digest_day(person.terms, now, person.last_digest_on) is None:
        return f"The digest of {person.last_digest_on} is done already: nothing was sent."
    return "Nothing waits for this user, or the day's cap is used up: nothing was sent."


def _came_to(mail_id: str) -> Result:
    mail = Mail.objects.defer("body").get(pk=mail_id)
    if mail.status == "sent":
        return Result(True, f"Sent, with {mail.jobs} job{'s' * (mail.jobs != 1)}.", mail_id)
    if mail.status == "sealed":
        tried = f"{mail.next_attempt_at:%Y-%m-%d %H:%M} UTC"
        return Result(False, f"Frozen, not sent yet; tried again from {tried} on.", mail_id)
    return Result(False, f"It ended {mail.status}: {mail.error or 'no reason given'}.", mail_id)

"""A sample alert, mailed at the press of a button: what somebody's searches would have sent."""

import logging
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import connection

from accounts.person import Person, read_person
from deliveries import compose_notices, ledger, routing
from deliveries.alerts import send_once
from deliveries.messages import Rendered
from deliveries.messages.job_card import local_time
from deliveries.messages.mail_text import cut, isolate
from deliveries.models import Mail
from deliveries.recent_fits import RecentFits, recent_fits
from deliveries.sending.post import Post
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall

log = logging.getLogger(__name__)

PRESS: Final = re.compile(r"[A-Za-z0-9_-]{20,64}")
_MARGIN: Final = 5.0
_ENDS: Final = {
    "sending": "it is being sent",
    "sent": "it is on its way to you",
    "failed": "the mail server refuses mail to your address",
    "unconfirmed": "the sending was cut off, so it may or may not arrive",
    "void": "the mail server did not take it; nothing was sent",
}


@dataclass(frozen=True, slots=True)
class Result:
    """Whether a sample is on its way now, and what pressing the button came to, in words."""

    sent: bool
    words: str


def send_sample(user_id: str, press: str, clock: Clock) -> Result:
    """Mail the user the best recent jobs that their searches would have sent.

    `press` is the form's own token: the same one again mails nothing and tells how the first
    ended.  Writes no delivery, and no more than one mail.  Call it outside any transaction.
    """
    now, person = clock.now(), read_person(user_id)
    if person is None or not PRESS.fullmatch(press):
        return Result(False, "Nothing was sent: press the button on this page once more.")
    if before := _pressed_before(person, press):
        return before
    if refused := _refusal(person, now):
        return Result(False, refused)
    found = recent_fits(user_id, now=now)
    if not found.fits:
        return Result(False, _nothing_fits(found))
    try:
        return _sent(person, press, found, clock)
    except Exception as error:
        log.error("a sample broke off: %s", type(error).__name__, exc_info=error)
        connection.close_if_unusable_or_obsolete()
        return Result(False, "It broke off on our side. What came of it stands under “Last mails”.")


def _sent(person: Person, press: str, found: RecentFits, clock: Clock) -> Result:
    def write(reader: Person, envelope: str) -> Rendered:
        return compose_notices.sample(reader, found, envelope=envelope, now=clock.now())

    with Post(Wall(2 * float(settings.EMAIL_TIMEOUT or 15) + _MARGIN), clock) as post:
        if not post.ready():
            return Result(
                False,
                "Mail cannot be sent just now: our mail server does not answer. Nothing was sent;"
                " please try again later.",
            )
        count = len(found.fits)
        claimed = ledger.claim_sample(person.user_id, press, write, jobs=count, now=clock.now())
        if claimed is None:
            return _pressed_before(person, press) or Result(
                False, _refusal(read_person(person.user_id), clock.now())
            )
        if claimed.mail is None:
            return Result(False, f"Nothing was sent: {_ENDS['failed']}.")
        end, _ = send_once(claimed.mail, person.user_id, post)
    jobs = "the best job" if count == 1 else f"the {count} best jobs"
    return Result(end == "sent", f"A sample with {jobs} of the last 7 days: {_ENDS[end]}.")


def _pressed_before(person: Person, press: str) -> Result | None:
    """What came of the same press, when it was taken before."""
    mails = Mail.objects.filter(pk=ledger.envelope_of_press(person, press))
    status = mails.values_list("status", flat=True).first()
    if status is None:
        return None
    return Result(status == "sent", f"That sample was asked for already: {_ENDS[status]}.")


def _refusal(person: Person | None, now: datetime) -> str:
    """Why no sample may be mailed to this user now; "" when one may."""
    if person is None or not person.may_be_mailed:
        return "Job mail to you is stopped, so no sample was sent."
    terms = person.terms
    if routing.is_paused(terms, now) and terms.paused_until:
        until = local_time(terms.paused_until, terms.timezone)
        return f"Job mail is paused until {until}, so no sample was sent: end the pause first."
    if not ledger.samples_left(person.user_id, now=now):
        return (
            f"You have asked for {routing.SAMPLES_A_DAY} samples within 24 hours: please wait a"
            " while before you ask for another."
        )
    return ""


def _nothing_fits(found: RecentFits) -> str:
    """With what would have been nearest."""
    if not found.words:
        return "No sample was sent: no search of yours is switched on and says what it looks for."
    if not found.considered:
        return "No sample was sent: there are no jobs of the last 7 days to choose from."
    jobs = f"{found.considered:,} jobs" if found.considered > 1 else "one job"
    none = f"No sample was sent: none of the last 7 days' {jobs} would have been mailed to you."
    words = [none]
    for name, outcome in found.words:
        words += [f"{isolate(name)}: {outcome}" if found.several else outcome]
    if found.misses:
        title = cut(found.misses[0].job.posting.title, 100)
        reasons = [f"{each.label}: {each.sentence}" for each in found.misses[0].kept_out_by]
        words += [f"Nearest came “{isolate(title)}”.", *reasons]
    return " ".join(words)

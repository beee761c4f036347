"""Changes to a user that reach into the ledger."""

from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError

from accounts.boundaries import commit
from accounts.checks_sql import checked_email
from accounts.enrolment import Enrolled, enrol
from accounts.profiles import ProfileChanges
from accounts.vocabulary import Mode
from deliveries import ledger
from deliveries.messages.mail_bytes import AddressError, ascii_address


def save_profile(
    email: str, changes: ProfileChanges, *, now: datetime, staff: bool = False
) -> Enrolled:
    """Make or change a user; rows still queued follow a newly given mode.

    Raises ValidationError, before anything is stored, for an address that no mail can be sent to,
    ProfileError for half of the quiet hours.
    """
    mailable(email)
    with commit("person: save"):
        enrolled = enrol(email, changes, staff=staff)
        if "mode" in changes.preferences:
            follow_mode(enrolled.user.pk, changes.preferences["mode"], now=now)
    return enrolled


def mailable(email: str) -> str:
    """The normalised address; raises ValidationError for one that no mail can be sent to."""
    address = checked_email(email)
    try:
        ascii_address(address)
    except AddressError as error:
        reason = str(error)
        raise ValidationError(f"{reason[0].upper()}{reason[1:]}.") from error
    return address


def follow_mode(user_id: str, mode: Mode, *, now: datetime) -> int:
    """Let rows still queued follow a newly saved mode; how many changed.

    Call it in the transaction that saves, with the preferences row locked.
    """
    fresh = timedelta(hours=settings.SCOUT_FRESH_HOURS)
    return ledger.reroute(user_id, mode, now=now, fresh=fresh)

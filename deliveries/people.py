"""Changes to a user that reach into the ledger."""

from datetime import datetime

from django.db import transaction

from accounts.enrolment import Enrolled, enrol
from accounts.profiles import ProfileChanges
from deliveries import ledger


def save_profile(
    email: str, changes: ProfileChanges, *, now: datetime, staff: bool = False
) -> Enrolled:
    """Make or change a user; rows still queued follow a newly given mode.

    Raises ValidationError for an address that is none.
    """
    with transaction.atomic():
        enrolled = enrol(email, changes, staff=staff)
        if "mode" in changes.preferences:
            ledger.reroute(enrolled.user.pk, changes.preferences["mode"], now=now)
    return enrolled

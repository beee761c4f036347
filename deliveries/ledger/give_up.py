"""Giving up everything that waits: after a restore nobody knows what of it has left."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.boundaries import commit
from deliveries.ledger.finish import finish
from deliveries.models import Delivery, Mail
from deliveries.statuses import OPEN_MAIL

_WHY: Final = "the database was restored from a backup: nobody knows whether it left"


@dataclass(frozen=True, slots=True)
class GivenUp:
    """How many rows were given up: queued ones, and those of mails that were open."""

    expired: int
    unconfirmed: int


def give_up_all(*, now: datetime) -> GivenUp:
    """Expire every queued row, and end every open mail as one that may have left.

    Call it with the preferences of everybody locked, so that nothing is queued or claimed
    meanwhile.  A living sender may still turn its mail into `sent`.
    """
    with commit("ledger: give up all"):
        mails = Mail.objects.filter(status__in=OPEN_MAIL).order_by("pk")
        unconfirmed = sum(
            finish(id_, "unconfirmed", now=now, expected=OPEN_MAIL, error=_WHY, attempted=False)
            for id_ in list(mails.values_list("pk", flat=True))
        )
        expired = Delivery.objects.filter(status="queued").update(
            status="expired", reason="restored backup", changed_at=now
        )
    return GivenUp(expired, unconfirmed)

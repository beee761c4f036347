"""How much of the day's cap is used up."""

from datetime import datetime

from accounts.person import Person
from deliveries import routing
from deliveries.models import Delivery

_MAY_HAVE_LEFT = ("sealed", "sending", "sent", "unconfirmed")


def mailed_today(person: Person, now: datetime) -> int:
    """How many jobs left, or may have, in mails made on the user's present local day.

    Only exact while the preferences row is locked.
    """
    return Delivery.objects.filter(
        user_id=person.user_id,
        mail__status__in=_MAY_HAVE_LEFT,
        mail__created_at__gte=routing.day_start(person.terms, now),
    ).count()

"""People who want the weekly note, and what tests of notices look at."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from typing import Any

from accounts.boundaries import Moment
from accounts.models import Preferences, User
from deliveries.digest import digest
from deliveries.models import Mail
from deliveries.summaries import DigestSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from tests.factories import JobFactory, person

MONDAY = datetime(2026, 11, 30, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class KilledError(BaseException):
    """The process ends here."""


def killing(name: str, when: Moment) -> Callable[[str, Moment], None]:
    """A watcher that ends whoever comes to this boundary."""

    def watch(crossed: str, moment: Moment) -> None:
        if (crossed, moment) == (name, when):
            raise KilledError(name)

    return watch


def old(user: User) -> User:
    """The account has been there for long."""
    User.objects.filter(pk=user.pk).update(date_joined=MONDAY - 60 * DAY)
    return user


def wanting(email: str = "ana@example.com", **profile: Any) -> User:
    """Somebody who wants the note, for whom $40–60 an hour is too little."""
    user = old(person(email, **{"skills": ["Django"], "min_hourly": 90, **profile}))
    Preferences.objects.filter(pk=user.pk).update(weekly_note=True)
    return user


def cheap(number: int = 1, **values: Any) -> None:
    """So many jobs of the week that come near."""
    for n in range(number):
        JobFactory(**{"first_seen": MONDAY - DAY - n * HOUR, **values})


def tick(later: timedelta = timedelta()) -> DigestSummary:
    """A digest tick on Monday, so much after the hour."""
    return digest(Clock.set_to(MONDAY + later), Wall(60))


def mails() -> list[tuple[Any, ...]]:
    """Whose, what and how, the oldest first."""
    names = ("user__email", "kind", "status", "week_on", "jobs")
    return list(Mail.objects.order_by("created_at", "pk").values_list(*names))


def read(raw: bytes) -> tuple[Any, str]:
    """The message and its text, in one line."""
    message: Any = message_from_bytes(raw, policy=policy.default)
    return message, " ".join(message.get_body(("plain",)).get_content().split())

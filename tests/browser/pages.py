"""Every page there is, and somebody for whom each of them has something to show."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from accounts.person import read_person
from deliveries import ledger
from deliveries.thumb_links import ThumbLink, token_for
from tests.factories import JobFactory, person, queued


def EVERYBODYS(user: User) -> list[str]:  # noqa: N802
    """The pages that need nobody signed in."""
    reader = read_person(user.pk)
    assert reader
    return [
        "/",
        "/sign-in/",
        "/privacy/",
        "/terms/",
        "/no-such-page/",
        f"/u/{reader.opt_out_token}/",
        f"/t/{thumb_token(user)}/",
        "/t/torn/",
        "/sign-in/inactive/",
    ]


def thumb_token(user: User) -> str:
    """What stands in the link “more like this” of a job that was mailed."""
    row = user.deliveries.filter(status="sent").earliest("score")
    assert row.mail_id
    assert row.sent_at
    return token_for(ThumbLink(row.mail_id, row.job_id, True), now=row.sent_at)


def OWN(user: User) -> list[str]:  # noqa: N802
    """The pages of somebody signed in."""
    job = user.deliveries.earliest("score").job_id
    return [
        *("/jobs/", "/jobs/near/", "/jobs/taste/", f"/jobs/never/?job={job}"),
        *("/account/", "/preferences/", "/mail/", "/why/", "/why/?job=banana", f"/why/?job={job}"),
        *("/welcome/", "/welcome/work/", "/welcome/mail/", "/sign-out/"),
    ]


def a_user_with_everything() -> User:
    """A user with jobs sent, waiting and only just missed."""
    user = person(
        "ana@example.com",
        headline="Django developer",
        about="Ten years of Python and Django.",
        skills=["Django", "Python", "PostgreSQL"],
        min_hourly="50",
        timezone="Europe/Berlin",
    )
    now = timezone.now()
    for number in range(4):
        queued(user, JobFactory.create(), 95 - number)
    claimed = ledger.claim(user.pk, now=now, fresh=timedelta(hours=24))
    assert claimed
    assert claimed.mail
    ledger.finish(claimed.mail.envelope, "sent", now=now)
    for number in range(2):
        queued(user, JobFactory.create(), 85 - number, route="daily")
    for _ in range(3):
        JobFactory.create(hourly_min=20, hourly_max=30)
    return user

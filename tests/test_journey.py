"""The path of one job, with real processes: from a file of posts to inboxes, each once."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db.models import Model

from accounts.identity import uid_of
from accounts.models import OptOutToken, Suppression, User
from deliveries.envelopes import alert_envelope, digest_envelope
from deliveries.models import Delivery, Mail
from jobs.models import Job, Verdict
from tests import processes
from tests.factories import person
from tests.processes import post

pytestmark = pytest.mark.django_db(transaction=True)

NOON, SECOND = "2026-11-25T12:00:00Z", "2026-11-25T12:15:00Z"
BEFORE_NINE, NINE = "2026-11-26T03:29:00Z", "2026-11-26T03:30:00Z"  # in Kolkata, UTC+5:30
AFTER_NINE = "2026-11-26T03:45:00Z"
SHOP = post(1, "Django developer for a shop", posted_at="2026-11-25T10:00:00Z", client_country="DE")
LOGO = post(
    2,
    "Logo for a bakery & café",
    description="A drawing of bread.",
    skills=["Illustrator"],
    job_type="fixed",
    hourly_min=None,
    hourly_max=None,
    fixed_budget=300,
    posted_at="2026-11-25T11:00:00Z",
)
ANA, DEV, TWO = "ana@example.com", "dev@example.in", "two@example.com"
SHOP_SUBJECT = "Django developer for a shop · $40–60/h"


def enrol_everybody() -> None:
    """Instant, daily in Kolkata, paused, opted out, two searches, and filters that reject all."""
    person(ANA, words_any=["django"], min_score=0)
    person(
        DEV,
        words_any=["django"],
        min_score=0,
        mode="daily",
        digest_hour=9,
        timezone="Asia/Kolkata",
    )
    person("paused@example.com", min_score=0, paused_until="2026-12-24T00:00:00Z")
    gone = person("out@example.com", min_score=0)
    Suppression.objects.create(user=gone, reason="opted_out")
    web = {"name": "Web sites", "words_any": ["django"], "min_score": 0}
    art = {"name": "Drawing", "words_any": ["logo"], "min_score": 0}
    person(TWO, searches=[web, art])
    person("no@example.com", words_none=["django", "logo"], min_score=0)


def rows(model: type[Model]) -> list[dict[str, Any]]:
    """Whole rows, times cut to the minute."""
    found = list(model._default_manager.order_by("pk").values())
    return [{name: _minute(value) for name, value in row.items()} for row in found]


def _minute(value: object) -> object:
    return f"{value:%d %H:%M}" if isinstance(value, datetime) else value


def everything() -> list[Any]:
    """Each table that counts, to the microsecond."""
    return [
        list(m._default_manager.order_by("pk").values()) for m in (Delivery, Mail, Verdict, Job)
    ]


def delivery(email: str, number: int, route: str, envelope: str, sent: str) -> dict[str, Any]:
    """The ledger row of a sent job."""
    pair = f"{uid_of(email)}_upwork:{1_990_000_000_000_000_000 + number}"
    return {
        "id": pair,
        "user_id": uid_of(email),
        "job_id": pair.removeprefix(f"{uid_of(email)}_"),
        "status": "sent",
        "route": route,
        "mail_id": envelope,
        "reason": "",
        "repeats_id": None,
        "score": Verdict.objects.get(pk=pair).score,
        "threshold": 0,
        "title": {1: SHOP, 2: LOGO}[number]["title"],
        "attempts": 0,
        "queued_at": "25 12:00",
        "changed_at": sent,
        "sent_at": sent,
    }


def mail(email: str, envelope: str, subject: str, sent: str, **values: Any) -> dict[str, Any]:
    """The row of a sent mail."""
    return {
        "id": envelope,
        "user_id": uid_of(email),
        "kind": "alert",
        "recipient": email,
        "subject": subject,
        "jobs": 1,
        "body": None,
        "status": "sent",
        "digest_on": None,
        "week_on": None,
        "attempts": 1,
        "doubtful": False,
        "begun": 0,
        "next_attempt_at": None,
        "provider": "django.core.mail.backends.smtp.EmailBackend",
        "provider_id": "",
        "error": "",
        "events": [],
        "created_at": sent,
        "finished_at": sent,
        "sent_at": sent,
        **values,
    }


def envelopes() -> tuple[str, str, str]:
    """Those of Ana's alert, of the alert with two jobs, and of Dev's digest."""
    key = settings.SECRET_KEY
    ids = [f"{uid_of(TWO)}_upwork:199000000000000000{number}" for number in (1, 2)]
    ana = f"{uid_of(ANA)}_upwork:1990000000000000001"
    day = datetime.fromisoformat(NINE).date()
    joined_at = User.objects.get(email=DEV).date_joined
    return (
        alert_envelope([ana], 1, key=key),
        alert_envelope(ids, 1, key=key),
        digest_envelope(uid_of(DEV), day, joined_at=joined_at, key=key),
    )


def check_tables() -> None:
    """Ledger and mails, whole rows."""
    ana, two, dev = envelopes()
    subject = Mail.objects.get(pk=two).subject
    assert rows(Delivery) == sorted(
        (
            delivery(ANA, 1, "instant", ana, "25 12:00"),
            delivery(TWO, 1, "instant", two, "25 12:00"),
            delivery(TWO, 2, "instant", two, "25 12:00"),
            delivery(DEV, 1, "daily", dev, "26 03:30"),
        ),
        key=lambda row: row["id"],
    )
    day = datetime.fromisoformat(NINE).date()
    digest = {"kind": "digest", "digest_on": day, "begun": 1}
    assert rows(Mail) == sorted(
        (
            mail(ANA, ana, SHOP_SUBJECT, "25 12:00"),
            mail(TWO, two, subject, "25 12:00", jobs=2),
            mail(DEV, dev, "Your best job for Thursday 26 November", "26 03:30", **digest),
        ),
        key=lambda row: row["id"],
    )


def check_alert(alert: processes.Mail) -> None:
    """Ana's mail: its headers, and what its two parts say."""
    token = OptOutToken.objects.get(user__email=ANA).token
    envelope = envelopes()[0]
    assert re.sub(r":\d\d \+", ":00 +", alert.headers["Date"]) == "Wed, 25 Nov 2026 12:00:00 +0000"
    assert alert.headers == {
        "From": "Upwork Scout <scout@scout.test>",
        "To": ANA,
        "Subject": SHOP_SUBJECT,
        "Date": alert.headers["Date"],
        "Message-ID": f"<{envelope}@scout.test>",
        "List-Unsubscribe": f"<https://scout.test/u/{token}/>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "X-Scout-Envelope": envelope,
        "MIME-Version": "1.0",
        "Content-Type": f'multipart/alternative; boundary="=_{envelope}"',
    }
    for line in (
        "A job that fits",
        "1. Django developer for a shop",
        "https://www.upwork.com/jobs/~021990000000000000001",
        "Posted Wed 25 Nov, 10:00",
        "A back end with Python and PostgreSQL, several weeks of work. Shop 1.",
        f"https://scout.test/u/{token}/",
    ):
        assert line in alert.text.splitlines()
        assert line.removeprefix("1. ") in alert.html


def check_two_searches(alert: processes.Mail) -> None:
    """A person with two searches is told which one found a job."""
    lines = [line for line in alert.text.splitlines() if line.startswith("From your search")]
    assert sorted(lines) == ["From your search Drawing", "From your search Web sites"]
    assert "Logo for a bakery &amp; café" in alert.html
    assert "Logo for a bakery & café" in alert.text


def test_jobs_reach_the_right_inboxes_once(tmp_path: Path, smtp) -> None:
    enrol_everybody()
    source = processes.write_posts(tmp_path / "posts.json", [SHOP, LOGO])
    env = processes.environment(smtp.port, SCOUT_SOURCES=source)
    first = processes.run("scan", "--now", NOON, env=env)
    assert (first.code, first.errors) == (0, "")
    ana, two = (processes.read(one) for one in smtp.accepted)
    assert [(m.recipient, sorted(m.jobs)) for m in (ana, two)] == [(ANA, [1]), (TWO, [1, 2])]
    check_alert(ana)
    check_two_searches(two)
    for command, now, arrived in (
        ("scan", SECOND, []),
        ("digest", BEFORE_NINE, []),
        ("digest", NINE, [(DEV, "Your best job for Thursday 26 November", (1,))]),
        ("digest", AFTER_NINE, []),
        ("scan", AFTER_NINE, []),
    ):
        before, mails = everything(), len(smtp.accepted)
        again = processes.run(command, "--now", now, env=env)
        assert (again.code, processes.inbox(smtp.accepted[mails:])) == (0, arrived)
        assert again.summary["mails_sent"] == len(arrived)
        assert arrived or everything() == before
    check_tables()

"""The demo: sample users and sample posts through the real scan and digest."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from accounts.identity import uid_of
from accounts.profiles import read_profile
from deliveries.models import Delivery
from deliveries.people import save_profile
from jobs.models import Verdict

_USERS: Final = Path(__file__).with_name("demo_users.json")


@dataclass(frozen=True, slots=True)
class DemoUser:
    """One sample user: name, address, and how mail reaches them."""

    name: str
    email: str
    how: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One ledger row of a sample user, with the reason that weighed most."""

    user: DemoUser
    title: str
    score: int
    reason: str
    what: str


def add_demo_users(*, now: datetime) -> list[DemoUser]:
    """Make the sample users, or bring them up to date; the daily one's digest is due this hour."""
    users = []
    for row in json.loads(_USERS.read_text(encoding="utf-8")):
        profile = row["profile"] | _timing(row, now)
        save_profile(row["email"], read_profile(profile), now=now)
        users.append(DemoUser(row["name"], row["email"], _how(profile)))
    return users


def _timing(row: dict[str, Any], now: datetime) -> dict[str, Any]:
    zone = ZoneInfo(row["profile"].get("timezone", "UTC"))
    timing: dict[str, Any] = {"paused_until": None}
    if row["profile"].get("mode") == "daily":
        timing["digest_hour"] = now.astimezone(zone).hour
    if row.get("paused"):
        timing["paused_until"] = (now + timedelta(days=30)).isoformat()
    return timing


def _how(profile: dict[str, Any]) -> str:
    if profile["paused_until"]:
        return "paused"
    if profile.get("mode") == "daily":
        return f"daily at {profile['digest_hour']:02}:00, {profile.get('timezone', 'UTC')}"
    return "at once"


def outcomes(users: Sequence[DemoUser]) -> Iterator[Outcome]:
    """What the ledger says of the sample users, each one's best jobs first."""
    for user in users:
        uid = uid_of(user.email)
        rows = Delivery.objects.filter(user_id=uid).select_related("mail")
        verdicts = Verdict.objects.filter(user_id=uid).in_bulk()
        for row in rows.order_by("-score", "job_id"):
            reasons = verdicts[row.pk].reasons if row.pk in verdicts else []
            kind = row.mail.kind if row.mail else row.route
            what = kind if row.status == "sent" else f"{kind}, {row.reason or row.status}"
            yield Outcome(user, row.title, row.score, reasons[0] if reasons else "", what)

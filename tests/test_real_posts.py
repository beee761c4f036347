"""The main job on 4,022 real posts and 18 labelled profiles, twice."""

import gzip
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deliveries.digest import digest
from deliveries.models import Delivery, Mail
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.models import Job, Verdict
from tests.factories import person

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime.fromisoformat("2026-11-25T12:00:00Z")


def redated(cases: Path, folder: Path) -> Path:
    """The real posts, as if all of them had been posted in the last twenty hours."""
    posts = folder / "posts.jsonl"
    with gzip.open(cases / "jobs.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for place, row in enumerate(rows):
        row["posted_at"] = (NOW - timedelta(seconds=10 + 17 * place)).isoformat()
    posts.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return posts


def enrol_all(cases: Path) -> None:
    """The labelled freelancers as users, every other one with a daily digest at 13:00."""
    lines = (cases / "profiles.jsonl").read_text(encoding="utf-8").splitlines()
    for place, profile in enumerate(map(json.loads, lines)):
        person(
            f"{profile['id']}@example.com",
            **{key: profile[key] for key in ("headline", "about", "wants", "skills")},
            words_none=profile["exclude_keywords"],
            countries_exclude=profile["excluded_countries"],
            min_hourly=profile["min_hourly"],
            min_fixed=profile["min_fixed"],
            mode="daily" if place % 2 else "instant",
            digest_hour=13,
        )


def tables() -> dict[str, Any]:
    """Every row that counts."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (Job, Verdict, Delivery, Mail)
    }


def test_real_posts_reach_the_right_people_once(cases, tmp_path, settings, smtp):
    settings.SCOUT_SOURCES = [f"file:{redated(cases, tmp_path)}"]
    enrol_all(cases)
    with CaptureQueriesContext(
        connection,
    ) as first_queries:
        first = scan(Clock.set_to(NOW), Wall(600))
    assert (first.fetched, first.errors, first.rejected) == (4022, 0, 0)
    assert first.mails_sent == len(smtp.accepted) > 5
    before = tables()

    with CaptureQueriesContext(connection) as second_queries:
        second = scan(Clock.set_to(NOW + timedelta(minutes=15)), Wall(600))
    assert (second.mails_sent, second.verdicts, second.queued) == (0, 0, 0)
    assert tables() == before
    assert len(second_queries) < len(first_queries)

    tick = digest(Clock.set_to(NOW + timedelta(hours=1)), Wall(600))
    assert tick.mails_sent + first.mails_sent == len(smtp.accepted)
    assert digest(Clock.set_to(NOW + timedelta(hours=1, minutes=15)), Wall(600)).mails_sent == 0

"""One scan, from a file of posts to a real SMTP server."""

import json

import pytest

from deliveries.models import Delivery
from deliveries.scan import scan
from tests.factories import person

pytestmark = pytest.mark.django_db(transaction=True)


def test_smoke(tmp_path, settings, smtp, at, wall):
    person(skills=["Django"], min_score=0)
    posts = tmp_path / "posts.json"
    posts.write_text(
        json.dumps(
            [{"id": "1990000000000000001", "title": "Django", "posted_at": "2026-11-25T11:00:00Z"}]
        )
    )
    settings.SCOUT_SOURCES = [f"file:{posts}"]
    summary = scan(at("2026-11-25T12:00:00"), wall)
    assert summary.mails_sent == len(smtp.accepted) == 1
    assert Delivery.objects.get().status == "sent"

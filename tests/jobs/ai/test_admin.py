"""Staff see the calls, the money and who waits, and change nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.models import AiCall, AiSpending, AwaitedVerdict
from tests.admin_browser import listed, page, staff
from tests.factories import JobFactory, person, verdict

pytestmark = pytest.mark.django_db


def test_each_table_has_a_page():
    boss, ana, now = staff(), person(), timezone.now()
    call = AiCall.objects.create(user=ana, day=now.date(), scorer="openai:x", prompt="1", jobs=2)
    spent = AiSpending.objects.create(day=now.date(), limit_usd=1, reserved_usd=1)
    waits = AwaitedVerdict.objects.create(user=ana, job=JobFactory(), since=now - timedelta(1))
    for model, row in (("aicall", call), ("aispending", spent), ("awaitedverdict", waits)):
        assert listed(boss, f"jobs_{model}") == [row.pk]
    assert "under way, or never ended" in page(boss, "jobs_aicall_change", call.pk)
    assert "everybody" in page(boss, "jobs_aispending_change", spent.pk)


def test_verdicts_to_look_at_are_found():
    boss, ana = staff(), person()
    marked = verdict(ana, JobFactory(), 90, needs_review=True, local_score=50)
    verdict(ana, JobFactory())
    assert listed(boss, "jobs_verdict", "?needs_review__exact=1") == [marked.pk]

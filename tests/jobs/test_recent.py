"""The recent jobs are read once, and again when any of them is other than before."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs import recent
from jobs.models import Job
from tests.factories import JobFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_kept():
    recent.forget()
    yield
    recent.forget()


def days_ago(days):
    return JobFactory.create(first_seen=timezone.now() - timedelta(days=days))


def test_a_week_of_jobs_with_a_text_is_read_and_prepared():
    old, young = days_ago(8), days_ago(6)
    JobFactory.create(text_dropped_at=timezone.now())
    found = recent.recent_jobs(now=timezone.now())
    assert found.ids == (young.pk,)
    assert old.pk not in found.ids
    assert {"texts", "lexical", "signs"} <= vars(found.table).keys()


def test_while_nothing_changes_the_table_is_kept(django_assert_num_queries):
    days_ago(1)
    now = timezone.now().replace(minute=5)
    first = recent.recent_jobs(now=now)
    with django_assert_num_queries(2):
        assert recent.recent_jobs(now=now + timedelta(minutes=10)) is first


def test_a_new_a_changed_a_dropped_and_a_deleted_job_are_noticed():
    now = timezone.now()
    kept, gone = days_ago(1), days_ago(2)
    assert recent.recent_jobs(now=now).ids == (kept.pk, gone.pk)
    third = days_ago(3)
    assert len(recent.recent_jobs(now=now).ids) == 3
    revision = Job.objects.get(pk=third.pk).revision + 1
    Job.objects.filter(pk=kept.pk).update(title="Another", revision=revision)
    assert recent.recent_jobs(now=now).table.postings[0].title == "Another"
    Job.objects.filter(pk=gone.pk).update(text_dropped_at=now, title="")
    assert recent.recent_jobs(now=now).ids == (kept.pk, third.pk)
    Job.objects.filter(pk=third.pk).delete()
    assert recent.recent_jobs(now=now).ids == (kept.pk,)


def test_of_too_many_jobs_the_newest_count(monkeypatch):
    monkeypatch.setattr(recent, "MOST", 2)
    kept = [days_ago(days).pk for days in (1, 2, 3)]
    assert set(recent.recent_jobs(now=timezone.now()).ids) == set(kept[:2])

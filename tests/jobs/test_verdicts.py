"""Verdicts in the database: once for each user and job."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from jobs import verdicts
from jobs.matching import match
from jobs.models import Job, Verdict
from tests.factories import JobFactory, person
from tests.factories import verdict as verdict_of

pytestmark = pytest.mark.django_db


def judge(user, now):
    jobs = verdicts.fresh_jobs(now=now, fresh=timedelta(hours=24))
    searches = verdicts.searches_of([user.pk], {})
    known = verdicts.known_scores([user.pk], jobs)
    found = match(searches, jobs, known=known, settled=(), now=now)
    return verdicts.keep(found.new, searches, jobs, now=now)


def test_a_verdict_keeps_score_reasons_and_what_was_compared():
    user, job, now = person(skills=["Django"], min_hourly=35), JobFactory(), timezone.now()
    assert judge(user, now) == 1
    verdict = Verdict.objects.get()
    assert (verdict.pk, verdict.search_id) == (f"{user.pk}_{job.pk}", user.searches.get().pk)
    assert (verdict.scorer, verdict.search_name, verdict.made_at) == ("local:1", "My search", now)
    assert verdict.compared["min_hourly"] == [
        "your floor is $35/h",
        "the post offers up to $60/h",
    ]
    assert verdict.reasons
    assert (sum(verdict.parts.values()), verdict.parts["start"]) == (verdict.score, 63)


def test_the_parts_of_a_score_are_an_object():
    user, job = person(skills=["Django"]), JobFactory()
    with pytest.raises(IntegrityError, match="verdict_parts_are_an_object"):
        verdict_of(user, job, parts=[63])


def test_a_pair_is_judged_once():
    user = person(skills=["Django"])
    JobFactory()
    assert [judge(user, timezone.now()) for _ in range(2)] == [1, 0]


def test_a_user_or_search_deleted_meanwhile_drops_out():
    ana, ben = person("ana@example.com", skills=["Django"]), person("ben@example.com")
    JobFactory()
    now = timezone.now()
    jobs = verdicts.fresh_jobs(now=now, fresh=timedelta(hours=24))
    searches = verdicts.searches_of([ana.pk, ben.pk], {})
    found = match(searches, jobs, known={}, settled=(), now=now)
    ben.delete()
    ana.searches.all().delete()
    assert verdicts.keep(found.new, searches, jobs, now=now) == 1
    assert list(Verdict.objects.values_list("user_id", "search_id")) == [(ana.pk, None)]


def test_only_fresh_jobs_with_text_are_matched():
    now = timezone.now()
    fresh = JobFactory(first_seen=now - timedelta(hours=23))
    JobFactory(first_seen=now - timedelta(hours=25))
    JobFactory(first_seen=now, posted_at=now - timedelta(hours=25))
    JobFactory(text_dropped_at=now)
    found = verdicts.fresh_jobs(now=now, fresh=timedelta(hours=24))
    assert found.ids == (fresh.pk,)
    assert found.table.postings == (Job.objects.get(pk=fresh.pk).posting(),)


def test_jobs_begin_by_when_they_are_dated_whenever_they_were_first_seen():
    user, now = person(skills=["Django"]), timezone.now()
    hour, minute = timedelta(hours=1), timedelta(minutes=1)
    JobFactory(first_seen=now - minute, posted_at=now - 2 * hour)
    JobFactory(first_seen=now - 2 * hour, posted_at=now - minute)  # a date made new
    JobFactory(first_seen=now - hour, posted_at=None)
    after = JobFactory(first_seen=now - minute, posted_at=now - 2 * minute)
    User.objects.update(jobs_from=now - hour)
    assert judge(user, now) == 1
    assert Verdict.objects.get().job_id == after.pk

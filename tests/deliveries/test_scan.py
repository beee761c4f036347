"""One scan: what it may skip, and what it must not."""

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts.profiles import read_profile
from deliveries.models import Delivery
from deliveries.people import save_profile
from deliveries.scan import ScanOptions, scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.models import Job, SourceState
from tests.factories import JobFactory, person, queued

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_sources(settings, smtp):
    settings.SCOUT_SOURCES = []


def run():
    return scan(Clock(), Wall(600))


def test_a_second_scan_judges_nothing_and_a_new_job_alone():
    person(skills=["Django"], min_score=100)
    JobFactory.create_batch(3)
    assert (run().verdicts, run().candidates) == (3, 0)
    JobFactory()
    assert run().candidates == 1


def test_a_changed_search_meets_the_old_jobs_again():
    person(skills=["Django"], min_score=100)
    JobFactory.create_batch(3)
    assert run().mails_sent == 0
    save_profile("ana@example.com", read_profile({"min_score": 0}), now=timezone.now())
    summary = run()
    assert (summary.verdicts, summary.mails_sent, summary.jobs_sent) == (0, 1, 3)


def test_a_job_that_changes_is_judged_again_where_it_had_no_outcome():
    person(skills=["Django"], min_hourly=100, min_score=0)
    job = JobFactory()
    assert run().candidates == 0
    Job.objects.filter(pk=job.pk).update(hourly_max=150, revision=job.revision + 1000)
    assert run().jobs_sent == 1


def test_who_could_not_be_judged_is_judged_next_time(monkeypatch):
    person(skills=["Django"], min_score=0)
    JobFactory()
    with monkeypatch.context() as patch:
        patch.setattr("deliveries.ledger.record", lambda *_, **__: 1 / 0)
        assert run().errors == 1
    assert run().jobs_sent == 1


def test_when_the_ledger_cannot_be_read_nothing_is_mailed(monkeypatch, smtp):
    queued(person(skills=["Django"]), JobFactory())

    def fails(*_args):
        raise OperationalError("the server is going away")

    monkeypatch.setattr("deliveries.scan.settled", fails)
    with pytest.raises(OperationalError):
        run()
    assert smtp.accepted == []
    assert Delivery.objects.get().status == "queued"


def test_a_scan_that_found_the_wall_leaves_users_for_the_next():
    person(skills=["Django"], min_score=0)
    JobFactory()
    assert scan(Clock(), Wall(0)).users_left == 1
    assert run().jobs_sent == 1


def test_without_time_for_a_send_nobody_is_claimed_and_the_summary_says_so(smtp):
    queued(person(skills=["Django"]), JobFactory())
    summary = scan(Clock(), Wall(4))
    assert (summary.mails_sent, summary.users_left, smtp.accepted) == (0, 1, [])
    assert scan(Clock(), Wall(12)).mails_sent == 1


def test_every_source_is_asked_at_once_when_somebody_has_put_it_right(settings, wall):
    settings.SCOUT_SOURCES = ["feed:https://127.0.0.1:9/feed"]
    for every_source, failures in ((False, 1), (False, 1), (True, 2)):
        summary = scan(Clock(), wall, ScanOptions(every_source=every_source))
        assert (summary.sources, summary.healthy) == ({"feed": "broken"}, False)
        assert SourceState.objects.get().failures == failures


def test_fetching_leaves_half_of_the_time_for_mail(settings):
    settings.SCOUT_SOURCES = ["feed:https://127.0.0.1:9/feed"]
    wall = Wall(600, monotonic=iter([0.0, *[301.0] * 999]).__next__)
    assert scan(Clock(), wall).sources == {"feed": "off"}

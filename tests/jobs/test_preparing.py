"""Preparing words once: what is stored is what a table would work out, and never outlives it."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from jobs.licence import end_periods
from jobs.models import Job
from jobs.postings.posting import Posting
from jobs.preparing import prepare_jobs
from jobs.store import store
from jobs.text.prepared import VERSION
from jobs.verdicts import fresh_jobs
from tests.factories import JobFactory

pytestmark = pytest.mark.django_db
FRESH = timedelta(hours=24)


def test_every_job_is_prepared_once_and_again_when_it_changes():
    now = timezone.now()
    JobFactory.create_batch(3)
    assert [prepare_jobs(now=now), prepare_jobs(now=now)] == [3, 0]
    changed = Job.objects.first()
    posting = Posting(id=changed.pk, title="Another title", description="Other words.")
    store([posting], source=changed.source, trust=changed.trust, now=now)
    before = bytes(changed.prepared)
    assert prepare_jobs(now=now) == 1
    changed.refresh_from_db()
    assert (bytes(changed.prepared) != before, changed.prepared_of) == (True, changed.revision)


def test_a_table_takes_what_is_ready_and_works_out_the_rest(monkeypatch):
    now = timezone.now()
    one, two = JobFactory(title="Django"), JobFactory(title="Logo")
    plain = fresh_jobs(now=now, fresh=FRESH).table
    prepare_jobs(now=now)
    Job.objects.filter(pk=two.pk).update(revision=two.revision + 100)
    ready = fresh_jobs(now=now, fresh=FRESH).table
    assert [row is None for row in ready.ready] == [
        job == two.pk for job in sorted((one.pk, two.pk))
    ]
    assert (ready.prepared.entries == plain.prepared.entries).all()
    assert (ready.prepared.headers == plain.prepared.headers).all()


def test_words_of_another_version_are_prepared_again(monkeypatch):
    now = timezone.now()
    JobFactory()
    prepare_jobs(now=now)
    Job.objects.update(prepared_by=VERSION + 1)
    assert prepare_jobs(now=now) == 1


def test_old_jobs_and_dropped_texts_are_left_alone():
    now = timezone.now()
    JobFactory(first_seen=now - timedelta(days=8))
    JobFactory(text_dropped_at=now)
    assert prepare_jobs(now=now) == 0


def test_what_was_made_of_a_text_goes_with_it():
    now = timezone.now()
    job = JobFactory(text_until=now)
    prepare_jobs(now=now)
    end_periods(now + timedelta(seconds=1))
    job.refresh_from_db()
    assert (job.text_dropped_at is None, job.prepared, job.prepared_of, job.prepared_by) == (
        False,
        None,
        None,
        None,
    )


def test_what_there_is_no_time_for_is_left_for_the_next_time(monkeypatch):
    monkeypatch.setattr("jobs.preparing._CHUNK", 2)
    JobFactory.create_batch(3)
    left = iter((True, False))
    assert prepare_jobs(now=timezone.now(), in_time=lambda: next(left)) == 2
    assert prepare_jobs(now=timezone.now()) == 1


def test_a_job_that_cannot_be_read_stops_no_other(caplog):
    poisoned, _ = JobFactory.create_batch(2)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE jobs_job SET skills = ARRAY[NULL] WHERE id = %s", [poisoned.pk])
    assert prepare_jobs(now=timezone.now()) == 1
    assert f"job {poisoned.pk} is not prepared: AttributeError" in caplog.text


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"prepared": b"x"}, "job_prepared_is_whole"),
        (
            {
                "prepared": b"x",
                "prepared_of": 1,
                "prepared_by": 1,
                "text_dropped_at": timezone.now(),
            },
            "job_dropped_text_is_not_prepared",
        ),
    ],
)
def test_the_database_refuses_half_of_it(changes, name):
    JobFactory()
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Job.objects.update(**changes)


def test_a_row_in_somebodys_hands_and_a_database_in_trouble_stop_nobody(monkeypatch, caplog):
    JobFactory()
    monkeypatch.setattr("jobs.preparing._KEEP", "SELECT nothing")
    with transaction.atomic():
        assert prepare_jobs(now=timezone.now()) == 0
    assert "jobs are not prepared: ProgrammingError" in caplog.text
    assert connection.is_usable()

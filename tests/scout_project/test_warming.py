"""A web process prepares what previews need before anybody asks for one."""

import pytest
from django.db import OperationalError

from jobs import recent
from scout_project import warming
from tests.factories import JobFactory


@pytest.mark.django_db(transaction=True)
def test_the_table_of_recent_jobs_is_there_before_it_is_asked_for(monkeypatch):
    recent.forget()
    job = JobFactory.create()
    warming.warm_up().join(30)
    monkeypatch.setattr(recent, "_prepared", None)  # nothing may be made any more
    assert recent.recent_jobs(now=warming.Clock().now()).ids == (job.pk,)


@pytest.mark.django_db(transaction=True)
def test_a_database_in_trouble_is_only_told_of(monkeypatch, caplog):
    def broken(**_):
        raise OperationalError("no")

    monkeypatch.setattr(warming, "recent_jobs", broken)
    warming.warm_up().join(30)
    assert [record.getMessage() for record in caplog.records] == [
        "previews are not prepared: OperationalError"
    ]

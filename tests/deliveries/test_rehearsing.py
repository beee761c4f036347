"""`manage.py rehearse`: the present data, twice, in a copy of which nothing is left."""

import json
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.models import Preferences
from deliveries import rehearsing
from deliveries.models import Delivery
from deliveries.work.clock import Clock
from jobs.models import Verdict
from tests.deliveries.test_bench import rows
from tests.factories import JobFactory, person, queued
from tests.processes import environment, run


@pytest.fixture
def market():
    """One who is mailed at once, one by digest at any hour, one with a row in the queue."""
    person("ana@example.com", min_score=0)
    hour = (Clock().now() - timedelta(minutes=1)).hour
    person("dev@example.com", min_score=0, mode="daily", digest_hour=hour)
    queued(person("bea@example.com", min_score=0), JobFactory.create())
    JobFactory.create_batch(2)


@pytest.mark.process
@pytest.mark.django_db(transaction=True)
def test_it_says_that_nobody_could_tell_and_leaves_everything_as_it_was(market, smtp):
    before = rows()
    ended = run("rehearse", "--json", env=environment(smtp.port))
    assert ended.code == 0, ended.errors
    first, second = ended.summary["first"], ended.summary["second"]
    assert (ended.summary["told"], ended.summary["changed"]) == (False, [])
    assert (first["mails_sent"], first["jobs_sent"], first["errors"]) == (3, 9, 0)
    assert set(second.values()) == {0}
    assert "Nobody could tell" in ended.errors
    assert rows() == before
    assert smtp.accepted == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname LIKE '%%rehearsal%%'")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db
def test_a_second_run_that_changes_a_row_is_told(market, wall, monkeypatch, mailoutbox):
    def careless(clock, wall):
        Preferences.objects.update(max_jobs_per_day=Delivery.objects.count() + len(runs))
        runs.append(1)
        return rehearsing.digest.DigestSummary()

    runs = []
    monkeypatch.setattr(rehearsing.digest, "digest", careless)
    found = rehearsing.rehearse(now=Clock().now(), wall=wall)
    assert found.told
    assert found.changed == ("accounts_preferences",)


@pytest.mark.django_db
def test_it_fails_when_told(monkeypatch, capsys):
    told = rehearsing.Rehearsed(first={}, second={"mails_sent": 1}, changed=("jobs_verdict",))
    path = "deliveries.management.commands.rehearse"
    monkeypatch.setattr(f"{path}.scratch_database", lambda _: nullcontext("x"))
    monkeypatch.setattr(f"{path}.fill", lambda source: None)
    monkeypatch.setattr(f"{path}.rehearse", lambda **_: told)
    with pytest.raises(SystemExit) as ended:
        call_command("rehearse", "--json")
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["changed"] == ["jobs_verdict"]
    assert Verdict.objects.count() == 0

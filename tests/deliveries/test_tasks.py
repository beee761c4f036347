"""The functions django-q2 runs, by themselves and in a real cluster."""

import json
import os
import signal
import subprocess
import sys

import pytest
from django.utils import timezone
from django_q.models import OrmQ, Schedule, Task

from deliveries import tasks
from deliveries.models import Run
from deliveries.running import wanted
from deliveries.running.runs import RunFailedError
from deliveries.running.schedules import sync
from deliveries.summaries import DigestSummary, ScanSummary
from tests import processes
from tests.factories import JobFactory, person

pytestmark = pytest.mark.django_db


def test_they_return_summaries_as_json_knows_them():
    for task, summary in ((tasks.scan, ScanSummary()), (tasks.digest, DigestSummary())):
        answer = task()
        assert set(json.loads(json.dumps(answer))) == set(summary.as_json())
    assert tasks.prune() == json.loads(json.dumps(tasks.prune()))


def test_a_source_that_is_down_ends_no_worker(settings, tmp_path):
    settings.SCOUT_SOURCES = [f"file:{tmp_path / 'absent.json'}"]
    assert tasks.scan()["sources"] == {"file": "broken"}


def test_an_error_is_told_without_its_words(settings, monkeypatch):
    def fail(*_args: object) -> None:
        raise ValueError("ana@example.com")

    monkeypatch.setattr("deliveries.running.runs.scan", fail)
    with pytest.raises(RunFailedError, match=r"^The scan failed \(ValueError\)") as raised:
        tasks.scan()
    assert raised.value.__suppress_context__


def test_the_wall_stands_before_the_workers_own_end(settings):
    settings.SCOUT_MAX_SECONDS = 1_000
    assert not tasks._wall().leaves(271)
    assert tasks._wall().leaves(269)


@pytest.mark.process
@pytest.mark.django_db(transaction=True)
def test_a_real_cluster_does_what_is_due_and_ends_on_sigterm(smtp):
    person(words_any=["django"], min_score=0)
    JobFactory()
    sync()
    Schedule.objects.filter(name="scout scan").update(next_run=timezone.now())
    wanted.ask("digest")
    env = processes.environment(smtp.port, DJANGO_SETTINGS_MODULE="tests.cluster_settings")
    command = [sys.executable, str(processes.ROOT / "manage.py"), "qcluster"]
    with subprocess.Popen(command, env=env | {"SCOUT_SOURCES": "sample"}) as cluster:
        try:
            processes.wait_until(lambda: Task.objects.count() == 2)
        finally:
            os.kill(cluster.pid, signal.SIGTERM)
        assert cluster.wait(15) == 0
    results = {task.func: (task.success, task.attempt_count) for task in Task.objects.all()}
    names = ("deliveries.tasks.scan", "deliveries.tasks.wanted_run")
    assert results == dict.fromkeys(names, (True, 1))
    assert sorted(Run.objects.values_list("kind", flat=True)) == ["digest", "scan"]
    assert (len(smtp.accepted), OrmQ.objects.count()) == (1, 0)

"""Asked-for runs: one waits at most, and a lost wake-up loses nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from deliveries import tasks
from deliveries.models import Run, WantedRun
from deliveries.running import wanted
from tests.threads import together

pytestmark = pytest.mark.django_db


def queued() -> list[tuple[str, tuple[str, ...]]]:
    return [(row.task["func"], row.task["args"]) for row in OrmQ.objects.order_by("pk")]


def age(minutes: int, *fields: str) -> None:
    WantedRun.objects.update(**{f: timezone.now() - timedelta(minutes=minutes) for f in fields})


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_make_one():
    answers = together(*[lambda: wanted.ask("scan")] * 10)
    assert sorted(answers) == ["enqueued", *["waiting"] * 9]
    assert queued() == [("deliveries.tasks.wanted_run", ("scan",))]


def test_kinds_do_not_wait_for_each_other():
    assert [wanted.ask("scan"), wanted.ask("digest")] == ["enqueued", "enqueued"]


def test_the_task_does_it_once():
    wanted.ask("scan")
    assert tasks.wanted_run("scan")["skipped"] is None
    assert tasks.wanted_run("scan") == {"skipped": "done already"}
    assert Run.objects.filter(kind="scan").count() == 1
    assert wanted.ask("scan") == "enqueued"


def test_a_run_started_by_others_serves_it():
    wanted.ask("digest")
    tasks.digest()
    assert not wanted.is_waiting("digest")
    assert tasks.wanted_run("digest") == {"skipped": "done already"}


def test_while_it_is_at_work_no_other_is_made():
    wanted.ask("scan")
    with wanted.serving("scan"):
        assert wanted.ask("scan") == "begun"
    assert wanted.ask("scan") == "enqueued"


def test_one_that_died_is_asked_for_again_and_ended_by_its_own_run_only():
    wanted.ask("scan")
    with wanted.serving("scan"):
        age(11, "asked_at", "begun_at")
        assert wanted.ask("scan") == "enqueued"
    assert wanted.is_waiting("scan")


@pytest.mark.parametrize("held", [False, True])
def test_a_lost_task_is_made_again_when_it_has_waited_long(held):
    wanted.ask("scan")
    if held:
        OrmQ.objects.update(lock=timezone.now() + timedelta(hours=1))
    else:
        OrmQ.objects.all().delete()
    assert (wanted.ask("scan"), len(queued())) == ("waiting", int(held))
    age(6, "asked_at")
    assert (wanted.ask("scan"), len(queued())) == ("waiting", 1 + held)
    assert (wanted.ask("scan"), len(queued())) == ("waiting", 1 + held)

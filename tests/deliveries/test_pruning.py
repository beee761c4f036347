"""Pruning: what is old goes, what could matter stays, and nothing comes twice for it."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from django_q.models import Task

from accounts.models import DeletedAddress, Session
from deliveries import pruning
from deliveries.models import Delivery, Mail, Run
from deliveries.running.runs import run_scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import tasting
from jobs.inbox import senders
from jobs.models import InboxMessage, InboxSender, Job, Verdict
from tests import processes
from tests.factories import JobFactory, person, queued, verdict

pytestmark = pytest.mark.django_db
NONE = dict.fromkeys(pruning.Pruned.__dataclass_fields__, 0) | {"left": False}


def later(**span: int) -> Clock:
    return Clock(timedelta(**span))


def pruned(clock: Clock, seconds: float = 60) -> dict[str, int]:
    counts = pruning.prune(clock.now(), Wall(seconds)).as_json()
    return {name: count for name, count in counts.items() if count != NONE[name]}


@pytest.fixture
def mailed(smtp, settings, tmp_path, wall):
    """One job mailed to one person, from a file of posts."""
    person(words_any=["django"], min_score=0)
    settings.SCOUT_SOURCES = [processes.write_posts(tmp_path / "posts", [processes.post(1)])]
    run_scan(Clock(), wall)
    assert len(smtp.accepted) == 1
    return smtp


def test_everything_of_a_mailed_job_goes_after_its_time(mailed):
    assert pruned(later(days=179)) == {}
    gone = {"deliveries": 1, "mails": 1, "verdicts": 1, "job_texts": 1}
    assert pruned(later(days=181)) == gone
    assert pruned(later(days=181)) == {}
    job = Job.objects.get()
    assert (job.title, job.description, job.skills) == ("", "", [])
    assert job.text_dropped_at > job.first_seen


def test_a_pruned_pair_never_comes_again(mailed, settings, tmp_path, wall):
    pruned(later(days=181))
    again = later(days=181)
    posted = {"posted_at": again.now().isoformat()}  # the source gives it a new date
    processes.write_posts(tmp_path / "posts", [processes.post(1, **posted)])
    summary = run_scan(again, Wall(60))
    assert (summary.fetched, summary.new_jobs, summary.candidates) == (1, 0, 0)
    assert (len(mailed.accepted), Delivery.objects.count()) == (1, 0)
    assert pruned(again) == {"job_texts": 1, "runs": 1}


@pytest.mark.parametrize(("fresh", "days"), [(24, 4), (240, 13)])
def test_however_short_the_retention_no_fresh_job_is_forgotten(mailed, settings, fresh, days):
    settings.SCOUT_RETENTION_DAYS, settings.SCOUT_FRESH_HOURS = 0, fresh
    assert pruned(later(days=days - 1, hours=23)) == {}
    assert pruned(later(days=days, hours=1))["deliveries"] == 1


def test_open_rows_stay_whatever_their_age():
    ana, job = person(), JobFactory(first_seen=timezone.now() - timedelta(days=400))
    queued(ana, job, changed_at=timezone.now() - timedelta(days=400))
    assert pruned(later(days=400)) == {}


@pytest.mark.parametrize("table", [Verdict, Delivery])
def test_a_text_stays_while_anything_names_its_job(table):
    ana, job = person(), JobFactory(first_seen=timezone.now() - timedelta(days=400))
    queued(ana, job)
    (Delivery if table is Verdict else Verdict).objects.all().delete()
    assert pruned(Clock()) == {}
    table.objects.all().delete()
    assert pruned(Clock()) == {"job_texts": 1}


def test_while_its_job_is_young_a_row_stays_whatever_it_says_of_its_age(mailed):
    ancient = timezone.now() - timedelta(days=400)
    Delivery.objects.update(changed_at=ancient)
    Verdict.objects.update(made_at=ancient)
    assert pruned(Clock()) == {}
    Delivery.objects.all().delete()
    Mail.objects.all().delete()
    assert pruned(Clock()) == {}


def test_a_verdict_without_a_row_goes_by_its_own_age():
    verdict(person(), JobFactory())
    assert pruned(later(days=179)) == {}
    assert pruned(later(days=181)) == {"verdicts": 1, "job_texts": 1}


def test_the_last_finished_run_of_each_kind_stays():
    now = timezone.now()
    for kind in ("scan", "digest"):
        for days in (1, 2):
            then = now - timedelta(days=days)
            Run.objects.create(kind=kind, started_at=then, finished_at=then)
        Run.objects.create(kind=kind, started_at=now)
    assert pruned(later(days=200)) == {"runs": 4}
    assert Run.objects.filter(finished_at__gt=now - timedelta(days=1, hours=1)).count() == 2


def test_sessions_results_and_deleted_addresses_go_at_their_times():
    now = timezone.now()
    Session.objects.create(session_key="old", expire_date=now - timedelta(days=1))
    Session.objects.create(session_key="new", expire_date=now + timedelta(days=365))
    Task.objects.create(id="a", name="a", func="f", started=now, stopped=now)
    DeletedAddress.objects.create(address_hash="a")
    assert pruned(later(hours=47)) == {"sessions": 1}
    assert pruned(later(hours=49)) == {"deleted_addresses": 1}
    assert pruned(later(days=181)) == {"task_results": 1}


def test_a_deleted_address_is_known_as_long_as_its_jobs_are_fresh(settings):
    settings.SCOUT_FRESH_HOURS = 100
    DeletedAddress.objects.create(address_hash="a")
    assert pruned(later(hours=99)) == {}
    assert pruned(later(hours=101)) == {"deleted_addresses": 1}


def test_batches_and_the_wall(monkeypatch):
    monkeypatch.setattr(pruning, "BATCH", 2)
    ana = person()
    for _ in range(5):
        verdict(ana, JobFactory())
    assert pruned(later(days=181), seconds=-1) == {"left": True}
    assert pruned(later(days=181)) == {"verdicts": 5, "job_texts": 5}
    assert not Verdict.objects.exists()


def test_mails_stay_as_long_as_their_rows(mailed):
    Mail.objects.update(finished_at=timezone.now() - timedelta(days=400))
    assert pruned(later(days=1)) == {}


def test_the_command_says_how_many(capsys):
    call_command("prune", "--json")
    assert capsys.readouterr().out.startswith('{"deliveries": 0, "mails": 0')


def test_what_the_inbox_received_goes_when_nobody_reads_it():
    senders.make("ana-laptop")
    InboxMessage.objects.create(sender=InboxSender.objects.get(), body=b"{}")
    assert pruned(later(hours=23)) == {}
    assert pruned(later(hours=25)) == {"inbox_messages": 1}


def test_thumbs_fade_with_the_ledger():
    user, job = person(), JobFactory()
    tasting.give(user.pk, job.pk, up=True, title="Zebra", now=timezone.now())
    assert pruned(later(days=179)) == {}
    assert pruned(later(days=181))["thumbs"] == 1

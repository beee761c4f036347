"""Why: every step from fetch to inbox, a sentence each."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from deliveries.ledger import expire
from deliveries.scan import scan
from deliveries.why import UnknownPairError, explain
from deliveries.work.clock import Clock
from jobs.models import Job
from tests.factories import JobFactory, person, queued

pytestmark = pytest.mark.django_db(transaction=True)


def told(email, job):
    return [(step.name.strip(), step.sentence) for step in explain(email, job, now=timezone.now())]


def test_a_job_that_was_mailed(settings, smtp, wall):
    settings.SCOUT_SOURCES = []
    person(skills=["Django"], min_score=0)
    job = JobFactory()
    scan(Clock(), wall)
    steps = told("Ana@Example.com ", job.url)
    expected = {"fetched", "age", "search", "passes", "verdict", "for", "threshold"}
    assert expected <= {name for name, _ in steps}
    ledger, mail = steps[-2:]
    assert ledger[1].startswith("sent, route instant, queued ")
    assert mail[1].startswith("alert ")
    assert ": sent, " in mail[1]


def test_a_job_that_a_filter_turned_down():
    person(skills=["Django"], min_hourly=100)
    steps = told("ana@example.com", JobFactory().pk)
    assert ("search", "“My search” 1 of 2 filters turn it down.") in steps
    assert (
        "fails",
        "Hourly rate, at least (US dollars): Your floor is $100/h; the post offers up to $60/h.",
    ) in steps
    assert steps[-2:] == [
        ("verdict", "None: no search let it through while it was fresh and matched."),
        ("ledger", "No row: nothing is to be delivered."),
    ]


def test_an_expired_row_says_its_reason():
    row = queued(person(), JobFactory())
    expire([row.pk], "over the cap", now=timezone.now())
    assert told("ana@example.com", row.job_id)[-2][1].startswith("expired, over the cap, route")


def test_a_job_whose_text_is_gone_is_still_explained():
    user, job = person(skills=["Django"]), JobFactory()
    queued(user, job)
    Job.objects.update(description="", skills=[], text_dropped_at=timezone.now())
    steps = told("ana@example.com", job.pk)
    assert ("filters", "“My search”: the post's text is no longer kept.") in steps
    assert ("for", "It fits.") in steps


@pytest.mark.parametrize(
    ("email", "job", "says"),
    [
        ("nobody@example.com", "upwork:1", "No user has the address 'nobody@example.com'"),
        ("", "upwork:1", "No user has the address ''"),
        ("ana@example.com", "upwork:1", "Never seen: no source has named the job 'upwork:1'"),
    ],
)
def test_who_or_what_nobody_knows_exits_with_2(email, job, says):
    person()
    with pytest.raises(UnknownPairError, match=says):
        told(email, job)
    with pytest.raises(CommandError) as error:
        call_command("why", email, job)
    assert error.value.returncode == 2


def test_a_job_from_before_the_users_begin_is_said():
    ana, job = person(), JobFactory()
    User.objects.update(jobs_from=job.dated_at)
    [said] = [sentence for name, sentence in told(ana.email, job.pk) if name == "begin"]
    at = f"{job.dated_at:%Y-%m-%d %H:%M} UTC"
    assert said.startswith(f"Dated {at}; only jobs after {at} come: ")
    User.objects.update(jobs_from=job.dated_at - timedelta(seconds=1))
    assert "begin" not in dict(told(ana.email, job.pk))


def test_paused_and_opted_out_are_said():
    person(paused_until=(timezone.now() + timedelta(days=1)).isoformat())
    assert ("user", "Paused: nothing is matched until the pause ends.") in told(
        "ana@example.com", JobFactory().pk
    )

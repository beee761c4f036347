"""Why: every step from fetch to inbox, a sentence each."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from deliveries.ledger import expire
from deliveries.pruning import prune
from deliveries.scan import scan
from deliveries.why import Step, UnknownPairError, explain
from deliveries.work.clock import Clock
from jobs import tasting
from jobs.licence import end_periods
from jobs.models import AwaitedVerdict, Job, Verdict
from jobs.scoring.parts import PARTS
from tests.factories import JobFactory, person, queued, verdict

pytestmark = pytest.mark.django_db(transaction=True)


def told(email, job):
    return [(step.name, step.sentence) for step in explain(email, job, now=timezone.now())]


def points(steps):
    """What the steps of a score's parts add up to."""
    labels = {part.label for part in PARTS}
    return sum(int(sentence.split()[0]) for name, sentence in steps if name in labels)


def test_a_job_that_was_mailed(settings, smtp, wall):
    settings.SCOUT_SOURCES = []
    person(skills=["Django"], min_score=0)
    job = JobFactory()
    scan(Clock(), wall)
    steps = told("Ana@Example.com ", job.url)
    expected = {"fetched", "age", "search", "passes", "verdict", "for", "threshold"}
    assert expected <= {name for name, _ in steps}
    assert points(steps) == Verdict.objects.get().score
    assert ("Starting point", " 63  what an average post scores; the rest moves it") in steps
    ledger, mail = steps[-2:]
    assert ledger[1].startswith("sent, route instant, queued ")
    assert mail[1].startswith("alert ")
    assert ": sent, " in mail[1]


def test_a_job_that_a_filter_turned_down():
    person(skills=["Django"], min_hourly=100)
    steps = told("ana@example.com", JobFactory().pk)
    assert ("search", "“My search”: 1 of 2 filters turns it down.") in steps
    assert (
        "fails",
        "Hourly rate, at least (US dollars): Your floor is $100/h; the post offers up to $60/h.",
    ) in steps
    [score] = [sentence for name, sentence in steps if name == "score"]
    would = f"Were it let through, it would score {points(steps)} of 100 now for “My search”; its "
    assert score == f"{would}lowest score is 70: reached."
    assert steps[-2:] == [
        ("verdict", "None so far: no scan has seen a search let it through."),
        ("ledger", "No row: nothing is to be delivered."),
    ]


def test_an_expired_row_says_its_reason():
    row = queued(person(), JobFactory())
    expire([row.pk], "over the cap", now=timezone.now())
    assert told("ana@example.com", row.job_id)[-2][1].startswith("expired, over the cap, route")


def scanned(wall, **values):
    """A job that was mailed to Ana, and what its steps said then."""
    person(skills=["Django"], min_hourly=35, min_score=0)
    job = JobFactory(**values)
    scan(Clock(), wall)
    return job, told("ana@example.com", job.pk)


def test_a_job_whose_text_is_gone_is_explained_by_what_the_verdict_kept(settings, smtp, wall):
    settings.SCOUT_SOURCES = []
    job, before = scanned(wall)
    now = timezone.now()
    gone = {"prepared": None, "prepared_of": None, "prepared_by": None, "text_dropped_at": now}
    Job.objects.update(title="", description="", skills=[], hourly_max=None, **gone)
    steps = told("ana@example.com", job.pk)
    gone = f"The post's text is no longer kept since {now:%Y-%m-%d %H:%M} UTC"
    assert ("text", f"{gone}; what the filters compared is.") in steps
    filters = {sentence for name, sentence in before if name == "passes"}
    assert {sentence for name, sentence in steps if name == "passed"} == filters
    assert (
        "passed",
        "Hourly rate, at least (US dollars): Your floor is $35/h; the post offers up to $60/h.",
    ) in steps
    begin = [name for name, _ in before].index("verdict")
    assert steps[-len(before[begin:]) :] == before[begin:]
    assert job.title in steps[0][1]  # as the ledger recorded it


def test_once_its_licence_ended_score_parts_and_reasons_are_told(settings, smtp, wall):
    settings.SCOUT_SOURCES = []
    now = timezone.now()
    job, before = scanned(wall, text_until=now + timedelta(hours=1))
    end_periods(now + timedelta(hours=1))
    steps = told("ana@example.com", job.pk)
    since = f"{now + timedelta(hours=1):%Y-%m-%d %H:%M} UTC"
    [text] = [sentence for name, sentence in steps if name == "text"]
    assert text == (
        f"The post's text is no longer kept since {since}, nor what the filters compared: only the"
        " score, its parts and reasons are."
    )
    assert not [1 for name, _ in steps if name in {"passes", "passed", "search"}]
    assert points(steps) == points(before) == Verdict.objects.get().score
    begin = [name for name, _ in before].index("verdict")
    assert steps[-len(before[begin:]) :] == before[begin:]


def test_a_verdict_from_before_there_were_parts_says_so():
    queued(person(), JobFactory())
    steps = told("ana@example.com", Job.objects.get().pk)
    assert ("parts", "Not recorded: the verdict is from before they were.") in steps


def test_what_a_changed_search_turns_down_is_told_as_it_was_judged():
    user, job = person(skills=["Django"], min_hourly=100), JobFactory()
    kept = {"min_hourly": ["your floor is $35/h", "the post offers up to $60/h"]}
    row = verdict(user, job, compared=kept, parts={"start": 63, "skills": 17})
    steps = told("ana@example.com", job.pk)
    when = f"{row.made_at:%Y-%m-%d %H:%M} UTC"
    assert [sentence for name, sentence in steps if name in {"search", "passed"}] == [
        "“My search”, as it is now: 1 of 2 filters turns it down.",
        f"“My search” let it through when it was judged, {when}.",
        "Hourly rate, at least (US dollars): Your floor is $35/h; the post offers up to $60/h.",
    ]
    assert "score" not in dict(steps)  # it has its verdict
    assert points(steps) == 80


def test_a_job_that_passes_and_has_no_verdict_is_scored_now():
    person(skills=["Django"], min_score=99)
    steps = explain("ana@example.com", JobFactory().pk, now=timezone.now())
    [score] = [step for step in steps if step.name == "score"]
    parts = points([(step.name, step.sentence) for step in steps])
    assert score == Step(
        "score",
        f"Would score {parts} of 100 now for “My search”; its lowest score is 99: not reached.",
        ok=False,
    )
    assert [step.name for step in steps if not step.part] == [
        *("fetched", "age", "search", "score", "verdict", "ledger")
    ]
    assert not [step for step in steps if step.part and step.name == "passes" and not step.ok]


def test_a_pruned_verdict_is_not_denied(wall):
    now = timezone.now()
    job = JobFactory(first_seen=now - timedelta(days=200))
    verdict(person(), job, 20, made_at=now - timedelta(days=200))
    assert prune(now, wall).verdicts == 1
    steps = told("ana@example.com", job.pk)
    gone = f"The post's text is no longer kept since {now:%Y-%m-%d %H:%M} UTC"
    none = "None is kept: no search let it through while it was fresh and matched"
    assert steps[-3:] == [
        ("text", f"{gone}: nothing can be compared or scored any more."),
        ("verdict", f"{none}, or it was deleted with what is older than 180 days."),
        ("ledger", "No row: nothing is to be delivered."),
    ]


def test_without_an_active_search_nothing_is_matched():
    user = person()
    user.searches.update(active=False)
    steps = told("ana@example.com", JobFactory().pk)
    assert ("search", "None is active: nothing is matched.") in steps


def test_the_command_aligns_its_sentences_and_ends_with_an_object_when_asked():
    person(skills=["Django"])
    job, out, err = JobFactory(), StringIO(), StringIO()
    call_command("why", "ana@example.com", job.pk, stdout=out)
    lines = out.getvalue().splitlines()
    wide = max(map(len, (f"  {name}" for name, _ in told("ana@example.com", job.pk)))) + 2
    assert {line[:wide].rstrip() for line in lines} > {"fetched", "  passes", "  Description"}
    assert {(line[wide - 2 : wide], line[wide : wide + 2] == "  ") for line in lines} == {
        ("  ", False)
    }
    out = StringIO()
    call_command("why", "ana@example.com", job.pk, "--json", stdout=out, stderr=err)
    [line] = out.getvalue().splitlines()
    found = json.loads(line)
    assert (found["job"], found["error"]) == (job.pk, None)
    assert [step["name"] for step in found["steps"]][:2] == ["fetched", "age"]
    assert found["steps"][0].keys() == {"name", "sentence", "ok", "part"}
    assert len(err.getvalue().splitlines()) == len(found["steps"])


def test_the_object_comes_for_a_job_that_nobody_knows_too():
    person()
    out = StringIO()
    with pytest.raises(CommandError, match="Never seen"):
        call_command("why", "ana@example.com", "upwork:1", "--json", stdout=out)
    assert json.loads(out.getvalue()) == {
        "job": "upwork:1",
        "error": "Never seen: no source has named the job 'upwork:1'.",
        "steps": [],
    }


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


def test_a_pair_that_waits_for_a_language_model():
    user, job = person(skills=["Django"]), JobFactory()
    since = timezone.now().replace(2026, 11, 30, 8, 0)
    AwaitedVerdict.objects.create(user=user, job=job, tries=1, since=since)
    steps = explain(user.email, job.pk, now=timezone.now())
    (told,) = (step.sentence for step in steps if step.name == "verdict")
    assert told == (
        "None yet: it has waited for a language model since 2026-11-30 08:00 UTC (1 failed try);"
        " a later scan asks again, or takes the local score."
    )


def test_what_a_job_would_score_counts_the_thumbs():
    user, job = person(skills=["Django"]), JobFactory(title="Django for zebras")
    plain = {s.name: s.sentence for s in explain(user.email, job.pk, now=timezone.now())}
    liked = JobFactory()
    tasting.give(user.pk, liked.pk, up=True, title="Zebras", now=timezone.now())
    swayed = {s.name: s.sentence for s in explain(user.email, job.pk, now=timezone.now())}
    assert "Your thumbs" in swayed.keys() - plain.keys()
    assert swayed["score"] != plain["score"]

"""Scans far apart, or none for hours: no pair grows too old while it waits for a model."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.boundaries import watched
from accounts.models import Search
from deliveries.digest import digest
from deliveries.models import Delivery
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.models import AwaitedVerdict, Job, Verdict
from tests.factories import JobFactory, person
from tests.http_provider import answer
from tests.jobs.ai.test_crashes import Killed

pytestmark = pytest.mark.django_db(transaction=True)
AFTER_AI = "local:1 (after ai)"


def at(hours: float) -> Clock:
    return Clock(timedelta(hours=hours))


def jobs_at(clock: Clock, *ages: float) -> list[Any]:
    """Jobs posted so many hours before a scan, and first seen by it."""
    now = clock.now()
    return [
        JobFactory(first_seen=now, posted_at=now - timedelta(hours=age), text_until=None)
        for age in ages
    ]


@pytest.fixture
def down(model):
    """A provider that is down throughout."""
    return model(then=answer("503 Down"))


def test_with_one_scan_a_day_every_pair_has_its_local_verdict(down, run, smtp):
    """What was fresh at the scan that gave the verdict is mailed; of the first day, whose next scan
    nobody could foresee, the rest expires with its reason."""
    ana = person(min_score=0)
    jobs = []
    for day in range(4):
        jobs += jobs_at(at(24 * day), 0.1, 6, 12, 22, 23.5)
        run(at(24 * day))
    run(at(96))
    verdicts = Verdict.objects.all()
    assert {v.job_id for v in verdicts} == {job.pk for job in jobs}
    assert {v.scorer for v in verdicts} == {AFTER_AI}
    assert not AwaitedVerdict.objects.exists()
    rows = dict(Delivery.objects.filter(user=ana).values_list("job_id", "status"))
    assert [rows[job.pk] for job in jobs] == ["expired"] * 4 + ["sent"] * 16
    reasons = Delivery.objects.filter(status="expired").values_list("reason", flat=True)
    assert set(reasons) == {"stale"}
    assert len(down.seen) >= 4


def test_it_is_asked_again_while_the_next_scan_is_soon_enough(down, run):
    person(min_score=0)
    for scan in range(3):
        run(at(6 * scan))
    young, old = jobs_at(at(18), 1, 17)
    assert [run(at(18)).verdicts, run(at(24)).verdicts] == [1, 1]
    made = dict(Verdict.objects.values_list("job_id", "made_at"))
    assert made[young.pk] - made[old.pk] > timedelta(hours=5)
    assert len(down.seen) == 4


def test_one_long_stop_does_not_end_the_patience(down, run):
    person(min_score=0)
    for hours in (0, 0.25, 0.5, 30.5):
        run(at(hours))
    jobs_at(at(30.75), 1)
    assert [run(at(30.75 + n / 4)).verdicts for n in range(3)] == [0, 0, 1]


@pytest.fixture
def stopped(down, run):
    """Pairs that waited while nothing ran for 26 hours, and the scan after it."""

    def after(hours: float = 26, **profile):
        user = person(min_score=0, **profile)
        [job] = jobs_at(at(0), 2)
        assert run(at(0)).verdicts == 0
        AwaitedVerdict.objects.get(user=user, job=job)
        return job, run(at(hours))

    return after


def test_after_a_long_stop_what_waited_has_its_verdict_and_its_reason(stopped, run, smtp):
    job, summary = stopped()
    found = Verdict.objects.get()
    assert (found.job, found.scorer, found.compared) == (job, AFTER_AI, {})
    assert found.score > 0
    assert found.reasons
    assert (summary.verdicts, summary.queued, summary.expired) == (1, 1, 1)
    assert not AwaitedVerdict.objects.exists()
    row = Delivery.objects.get()
    assert (row.status, row.reason, row.title) == ("expired", "stale", job.title)
    assert not smtp.accepted


def test_after_a_long_stop_a_digest_still_takes_it(stopped, smtp):
    job, _ = stopped(mode="daily", digest_hour=0)
    digest(at(26.25), Wall(600))
    assert Delivery.objects.values_list("job_id", "status").get() == (job.pk, "sent")


def test_what_a_digest_would_have_left_behind_is_not_mailed_weeks_later(stopped, smtp):
    _, summary = stopped(hours=500, mode="daily", digest_hour=0)
    assert (summary.queued, summary.expired) == (1, 1)
    assert Delivery.objects.values_list("status", "reason").get() == ("expired", "stale")


def test_a_post_whose_licence_ended_meanwhile_has_its_verdict_too(down, run):
    person(min_score=0)
    [job] = jobs_at(at(0), 2)
    run(at(0))
    Job.objects.update(text_until=at(1).now())
    run(at(2))
    assert Job.objects.get().title == ""
    found = Verdict.objects.get()
    assert (found.scorer, found.compared, bool(found.reasons)) == (AFTER_AI, {}, True)
    assert Delivery.objects.get().title == job.title


def test_below_the_threshold_nothing_is_kept_of_a_post_but_its_score(down, run):
    person(min_score=100)
    [job] = jobs_at(at(0), 2)
    run(at(0))
    assert job.title not in str(AwaitedVerdict.objects.get().local)
    run(at(26))
    assert Verdict.objects.get().scorer == AFTER_AI
    assert not Delivery.objects.exists()


def test_a_search_that_wants_only_young_jobs_loses_none_either(stopped, smtp):
    job, _ = stopped(hours=8, posted_within_hours=6, skills=["Django"])
    assert Verdict.objects.get().scorer == AFTER_AI
    assert Delivery.objects.values_list("job_id", "status").get() == (job.pk, "sent")


def test_who_was_paused_meanwhile_has_it_at_the_end(down, run):
    user = person(min_score=0)
    jobs_at(at(0), 2)
    run(at(0))
    user.preferences.__class__.objects.update(paused_until=at(48).now())
    assert run(at(26)).verdicts == 0
    assert run(at(49)).verdicts == 1


def test_another_workers_verdict_counts_although_this_one_gave_up(down, run, monkeypatch):
    user = person(min_score=70)
    [job] = jobs_at(at(0), 2)
    run(at(0))
    AwaitedVerdict.objects.update(local={**AwaitedVerdict.objects.get().local, "score": 1})
    Verdict.objects.create(
        id=f"{user.pk}_{job.pk}", user=user, job=job, score=90, scorer="openai:x"
    )
    run(at(26))
    assert Verdict.objects.get().score == 90
    assert Delivery.objects.values_list("score", "title").get() == (90, job.title)


def test_a_search_deleted_meanwhile_leaves_its_name(down, run):
    person(min_score=0)
    jobs_at(at(0), 2)
    run(at(0))
    Search.objects.all().delete()
    run(at(26))
    assert Verdict.objects.values_list("search", "search_name").get() == (None, "My search")


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize(
    "name", ["verdicts: keep", "ledger: record", "ledger: expire", "ai: forget"]
)
def test_killed_while_it_ends_a_wait_the_next_scan_ends_it(down, run, name, moment):
    person(min_score=0, mode="daily", digest_hour=0)
    jobs_at(at(0), 2)
    run(at(0))

    def watcher(crossed, when):
        if (crossed, when) == (name, moment):
            raise Killed

    with pytest.raises(Killed), watched(watcher):
        run(at(80))
    run(at(80.25))
    assert Verdict.objects.get().scorer == AFTER_AI
    assert Delivery.objects.values_list("status", "reason").get() == ("expired", "stale")
    assert not AwaitedVerdict.objects.exists()

"""Recording, rerouting, expiring and requeueing ledger rows."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Preferences, User
from deliveries import ledger
from deliveries.ledger import NewRow
from deliveries.models import Delivery
from jobs.models import Job
from tests.deliveries.ledger.tables import DAY, HOUR, MINUTE, alert_id, queue, row, rows
from tests.factories import NOON, JobFactory, person
from tests.threads import behind, together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)


def wanted(user: User | str, job: Job | str, score: int = 80) -> NewRow:
    user_id = user if isinstance(user, str) else user.pk
    job_id = job if isinstance(job, str) else job.pk
    return NewRow(user_id=user_id, job_id=job_id, score=score, threshold=70, title="A job")


def record(*new: NewRow) -> frozenset[str]:
    return ledger.record(new, now=NOON)


def id_of(user: User, job: Job) -> str:
    return f"{user.pk}_{job.pk}"


def test_a_row_is_written_once():
    user, job = person(), JobFactory()
    assert record(wanted(user, job)) == {id_of(user, job)}
    assert Delivery.objects.values().get() == {
        "id": id_of(user, job),
        "user_id": user.pk,
        "job_id": job.pk,
        "status": "queued",
        "route": "instant",
        "mail_id": None,
        "reason": "",
        "repeats_id": None,
        "score": 80,
        "threshold": 70,
        "title": "A job",
        "attempts": 0,
        "queued_at": NOON,
        "changed_at": NOON,
        "sent_at": None,
    }
    assert record(wanted(user, job, 99)) == frozenset()
    assert Delivery.objects.get().score == 80


def test_nothing_to_record():
    assert record() == frozenset()


@pytest.mark.parametrize("end", ["sent", "unconfirmed", "failed"])
def test_a_row_in_any_status_stands_in_the_way(end):
    user = person()
    [id_] = queue(user, 80)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    ledger.finish(alert_id(id_), end, now=NOON)
    before = rows()
    assert record(wanted(user, Job.objects.get())) == frozenset()
    assert rows() == before


def test_an_expired_row_stands_in_the_way():
    user = person()
    [id_] = queue(user, 80)
    ledger.expire([id_], "closed", now=NOON)
    assert record(wanted(user, Job.objects.get())) == frozenset()
    assert rows() == [row(id_, "expired", reason="closed")]


def test_jobs_dated_until_the_users_begin_are_passed_over():
    user = person()
    User.objects.update(jobs_from=NOON - HOUR)
    posted_before = JobFactory(first_seen=NOON, posted_at=NOON - 2 * HOUR)
    just_then, after = JobFactory(first_seen=NOON - HOUR), JobFactory(first_seen=NOON - MINUTE)
    jobs = (posted_before, just_then, after)
    assert record(*(wanted(user, job) for job in jobs)) == {id_of(user, after)}


def test_a_pair_given_twice_is_one_row():
    user, job = person(), JobFactory()
    assert len(record(wanted(user, job), wanted(user, job, 90))) == 1


def test_the_gone_and_the_inactive_are_passed_over():
    there, off, job = person(), person("off@example.com"), JobFactory()
    User.objects.filter(pk=off.pk).update(is_active=False)
    new = record(wanted("bm9ib2R5", job), wanted(there, job), wanted(off, job))
    assert new == {id_of(there, job)}


def test_the_route_follows_the_mode():
    instant, daily, job = person(), person("day@example.com", mode="daily"), JobFactory()
    record(wanted(instant, job), wanted(daily, job))
    assert dict(Delivery.objects.values_list("user_id", "route")) == {
        instant.pk: "instant",
        daily.pk: "daily",
    }


def reroute(user: User, mode: Any) -> int:
    return ledger.reroute(user.pk, mode, now=NOON, fresh=DAY)


def test_queued_rows_follow_a_new_mode():
    user, other = person(), person("other@example.com")
    [sealed] = queue(user, 90)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    [mine], [theirs] = queue(user, 80), queue(other, 80)
    assert reroute(user, "daily") == 1
    assert reroute(user, "daily") == 0
    assert sorted(rows()) == sorted(
        [
            row(sealed, "sealed", mail=alert_id(sealed)),
            row(mine, "queued", "daily"),
            row(theirs, "queued"),
        ]
    )


def test_what_is_too_old_for_an_alert_stays_with_the_digest():
    user = person()
    [old] = queue(user, 80, route="daily", first_seen=NOON - DAY - MINUTE)
    [new] = queue(user, 80, route="daily", first_seen=NOON - DAY + HOUR)
    assert reroute(user, "instant") == 1
    assert rows() == [row(old, "queued", "daily"), row(new, "queued")]


def test_only_queued_rows_expire():
    user = person()
    [sealed] = queue(user, 90)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    [queued] = queue(user, 80)
    assert ledger.expire([sealed, queued, "none"], "closed", now=NOON) == 1
    assert rows() == [
        row(sealed, "sealed", mail=alert_id(sealed)),
        row(queued, "expired", reason="closed"),
    ]


@pytest.mark.parametrize("end", ["sent", "unconfirmed"])
def test_only_failed_rows_are_queued_again(end):
    user = person()
    [id_] = queue(user, 80)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    ledger.finish(alert_id(id_), end, now=NOON)
    before = rows()
    assert ledger.requeue([id_], now=NOON) == 0
    assert rows() == before


# Side by side


def grid(users: int, jobs: int) -> list[NewRow]:
    people = [person(f"user{n}@example.com") for n in range(users)]
    posts = JobFactory.create_batch(jobs)
    return [wanted(user, job) for user in people for job in posts]


@side_by_side
def test_of_many_who_record_the_same_rows_each_row_is_new_to_one():
    new = grid(8, 12)
    orders: list[Sequence[NewRow]] = [new, new[::-1], new[50:] + new[:50], new]
    answers = together(*[partial(record, *order) for order in orders])
    assert sorted(id_ for answer in answers for id_ in answer) == sorted(r[0] for r in rows())
    assert len(rows()) == len(new)


@side_by_side
def test_a_user_who_is_being_deleted_drops_out_and_the_others_stay():
    [gone, *others] = grid(3, 1)
    [new] = behind(User.objects.get(pk=gone.user_id).delete, partial(record, gone, *others))
    assert new == {f"{other.user_id}_{other.job_id}" for other in others}


@side_by_side
def test_a_deletion_goes_on_while_a_recording_waits_for_it():
    gone, *others = grid(3, 1)
    user = User.objects.get(pk=gone.user_id)
    preferences = Preferences.objects.filter(pk=user.pk)
    [new] = behind(preferences.delete, partial(record, gone, *others), then=user.delete)
    assert new == {f"{other.user_id}_{other.job_id}" for other in others}


@side_by_side
@pytest.mark.parametrize("mode", ["instant", "daily"])
def test_a_recording_that_waited_for_a_save_follows_the_new_mode(mode):
    user, job = person(mode="instant" if mode == "daily" else "daily"), JobFactory()

    def save() -> None:
        Preferences.objects.select_for_update().get(pk=user.pk)
        Preferences.objects.filter(pk=user.pk).update(mode=mode)
        reroute(user, mode)

    assert behind(save, partial(record, wanted(user, job))) == [{id_of(user, job)}]
    assert rows() == [row(id_of(user, job), "queued", mode)]


@side_by_side
def test_a_save_that_waited_for_a_recording_moves_its_rows():
    user, job = person(), JobFactory()

    def save() -> None:
        with transaction.atomic():
            Preferences.objects.select_for_update().get(pk=user.pk)
            Preferences.objects.filter(pk=user.pk).update(mode="daily")
            reroute(user, "daily")

    assert behind(partial(record, wanted(user, job)), save) == [None]
    assert rows() == [row(id_of(user, job), "queued", "daily")]

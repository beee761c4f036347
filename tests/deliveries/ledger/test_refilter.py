"""The filters once more before a row leaves: what changed meanwhile is not mailed."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.enrolment import enrol
from accounts.models import Search
from accounts.profiles import read_profile
from deliveries import ledger
from deliveries.models import Delivery, Mail
from jobs.models import Job
from tests.deliveries.ledger.tables import DAY
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db


def waiting(route, *titles, at=NOON, **profile):
    """A user with a queued row for a job of each title, all of 40 to 60 dollars an hour."""
    user = person(digest_hour=12, mode=route, **profile)
    for title in titles:
        job = JobFactory(title=title, first_seen=at, fetched_at=at, posted_at=at)
        queued(user, job, route=route, queued_at=at)
    return user


def leave(user, route, at=NOON):
    """The claim or freeze; how many jobs are in the mail."""
    if route == "instant":
        ledger.claim(user.pk, now=at, fresh=DAY)
    else:
        ledger.freeze(user.pk, now=at)
    return sum(Mail.objects.values_list("jobs", flat=True))


def ends():
    rows = Delivery.objects.order_by("title").values_list("title", "status", "reason")
    return {title: (status, reason) for title, status, reason in rows}


SEALED, GONE = ("sealed", ""), ("expired", "filtered out now")
both = pytest.mark.parametrize("route", ["instant", "daily"])


@both
def test_what_still_passes_leaves(route):
    user = waiting(route, "A", "B")
    assert leave(user, route) == 2
    assert ends() == {"A": SEALED, "B": SEALED}


@both
def test_a_search_changed_meanwhile_counts(route):
    user = waiting(route, "A", "A shop for WordPress")
    enrol(user.email, read_profile({"words_none": ["WordPress"]}))
    assert leave(user, route) == 1
    assert ends() == {"A": SEALED, "A shop for WordPress": GONE}


@both
def test_a_post_changed_meanwhile_counts(route):
    user = waiting(route, "A", "B", min_hourly=50)
    Job.objects.filter(title="B").update(hourly_max=45)
    assert leave(user, route) == 1
    assert ends() == {"A": SEALED, "B": GONE}


@both
def test_nothing_is_mailed_when_nothing_is_wanted_any_more(route):
    user = waiting(route, "A", "B")
    Search.objects.update(active=False)
    assert leave(user, route) == 0
    assert ends() == {"A": GONE, "B": GONE}
    assert not Mail.objects.exists()


@both
def test_nothing_is_mailed_for_a_search_that_nobody_described(route):
    user = waiting(route, "A")
    Search.objects.update(skills=[])
    assert leave(user, route) == 0
    assert ends() == {"A": GONE}


@both
def test_one_of_the_searches_is_enough(route):
    both_of = [{"name": "A", "min_hourly": 500}, {"name": "B", "skills": ["Django"]}]
    user = waiting(route, "A", searches=both_of)
    assert leave(user, route) == 1


def test_waiting_for_the_hour_makes_no_job_too_old():
    user = waiting("daily", "A", at=NOON - timedelta(hours=20), posted_within_hours=2)
    assert leave(user, "daily") == 1


def test_a_post_whose_text_is_gone_is_not_judged():
    user = waiting("daily", "A")
    Job.objects.update(title="", description="", skills=[], text_dropped_at=NOON)
    assert leave(user, "daily") == 1


def test_a_preview_leaves_it_out_and_writes_nothing():
    user = waiting("daily", "A", "B", min_hourly=50)
    Job.objects.filter(title="B").update(hourly_max=45)
    gone = ledger.unwanted(user.pk, list(Delivery.objects.values_list("pk", flat=True)))
    assert gone == set(Delivery.objects.filter(title="B").values_list("pk", flat=True))
    assert set(ends().values()) == {("queued", "")}


def test_many_rows_take_as_many_queries_as_one():
    counts = []
    for number, titles in enumerate((["A"], ["B", "C", "D", "E"])):
        user = person(f"user{number}@example.com")
        for title in titles:
            queued(user, JobFactory(title=title, first_seen=NOON))
        ids = list(Delivery.objects.filter(user=user).values_list("pk", flat=True))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            ledger.unwanted(user.pk, ids)
        counts.append(len(asked))
    assert counts[0] == counts[1]

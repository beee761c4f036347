"""What a user's searches only just kept out in the last week."""

from datetime import timedelta

import pytest

from accounts.models import Search, User
from accounts.viewer import viewer
from deliveries.near_misses import near_misses
from jobs import recent, tasting
from jobs.models import Job
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _nothing_remembered():
    recent.forget()


def job(title="Django developer", **values):
    return JobFactory(**{"title": title, "first_seen": NOON - HOUR, "hourly_max": 30, **values})


def missed(user):
    return [near.card.title for near in near_misses(viewer(user.pk), now=NOON, most=9)]


def test_a_miss_has_what_kept_it_out_and_what_a_card_needs():
    ana = person(skills=["Django"], min_hourly=50)
    low = job()
    [near] = near_misses(viewer(ana.pk), now=NOON, most=9)
    assert [(each.name, each.sentence) for each in near.kept_out_by] == [
        ("min_hourly", "Your floor is $50/h; the post offers up to $30/h.")
    ]
    card = near.card
    assert (
        card.job_id,
        card.url,
        card.client_country,
        card.hourly_max,
        near.place,
        card.search_name,
    ) == (
        low.pk,
        low.url,
        "DE",
        30,
        1,
        "",
    )


def test_what_passes_is_old_dropped_or_in_the_ledger_is_none():
    ana = person(skills=["Django"], min_hourly=50)
    job("Passes", hourly_max=60)
    job("Old", first_seen=NOON - timedelta(days=9))
    job("Dropped", text_dropped_at=NOON)
    queued(ana, job("In the ledger"))
    queued(person("bo@example.com"), job("In another's"))
    assert missed(ana) == ["In another's"]


def test_with_several_searches_the_nearest_is_named_by_its_place():
    searches = [
        {"name": "Off", "skills": ["Django"], "active": False},
        {"name": "High", "skills": ["Django"], "min_hourly": 99, "min_fixed": 1},
        {"name": "Rust", "skills": ["Rust"], "min_hourly": 99, "payment_verified_only": True},
    ]
    ana = person(searches=searches)
    job()
    [near] = near_misses(viewer(ana.pk), now=NOON, most=9)
    assert (near.place, near.card.search_name) == (2, "High")
    Search.objects.filter(name="Rust").update(skills=["Django"], min_hourly=None)
    assert missed(ana) == []


def test_without_a_search_that_looks_there_are_none():
    ana = person(skills=["Django"], min_hourly=50)
    job()
    Search.objects.update(active=False)
    assert missed(ana) == []


def test_only_what_the_user_may_have():
    ana = person(skills=["Django"], min_hourly=50)
    job("Before", first_seen=NOON - 2 * HOUR)
    job("After")
    User.objects.update(jobs_from=NOON - 2 * HOUR)
    assert missed(ana) == ["After"]


def test_thumbs_move_them():
    ana = person(skills=["Django"], min_hourly=50)
    job("Django for a zebra")
    before = near_misses(viewer(ana.pk), now=NOON, most=9)[0].card.score
    liked = JobFactory(title="Zebra", first_seen=NOON - timedelta(days=9))
    tasting.give(ana.pk, liked.pk, up=True, title="Zebra", now=NOON)
    after = near_misses(viewer(ana.pk), now=NOON, most=9)[0].card
    assert (after.score, Job.objects.count()) == (before + 3, 2)
    assert "You liked jobs about zebra: +3" in after.reasons

"""Thumbs and what they come to: once for each job, changed, taken back, forgotten, bounded."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from jobs import tasting, verdicts
from jobs.models import Taste, Thumb
from jobs.scoring.taste import MOST_THUMBS, Examples
from tests.factories import NOON, JobFactory, person

pytestmark = pytest.mark.django_db


def give(user, title, up=True, job=None, **values):
    job = job or JobFactory(title=title)
    assert tasting.give(user.pk, job.pk, up=up, title=title, now=NOON, **values)
    return job


def terms(user):
    return Taste.objects.get(pk=user.pk).terms


def test_a_thumb_is_condensed_into_the_taste_at_once():
    ana = person()
    give(ana, "Zebra quokka")
    assert terms(ana) == {"quokka": 2.2, "zebra": 2.2}
    give(ana, "Zebra", up=False)
    assert terms(ana) == {"quokka": 2.2, "zebra": -1.1}


def test_words_of_the_users_own_searches_are_left_out():
    ana = person(skills=["Zebra"])
    give(ana, "Zebra quokka")
    assert list(terms(ana)) == ["quokka"]


def test_the_same_thumb_again_changes_nothing():
    ana = person()
    job = give(ana, "Zebra")
    before = (Thumb.objects.values().get(), Taste.objects.values().get())
    later = NOON + timedelta(hours=1)
    assert tasting.give(ana.pk, job.pk, up=True, title="Other", now=later)
    assert (Thumb.objects.values().get(), Taste.objects.values().get()) == before


def test_a_mind_can_be_changed_and_a_thumb_taken_back():
    ana = person()
    job = give(ana, "Zebra")
    give(ana, "Zebra", up=False, job=job)
    assert terms(ana) == {"zebra": -3.2}
    assert tasting.thumbs_on(ana.pk, [job.pk]) == {job.pk: False}
    assert tasting.take_back(ana.pk, job.pk, now=NOON)
    assert not tasting.take_back(ana.pk, job.pk, now=NOON)
    assert (terms(ana), Thumb.objects.count()) == ({}, 0)


def test_a_reset_forgets_only_ones_own():
    ana, bo = person(), person("bo@example.com")
    give(ana, "Zebra")
    give(bo, "Zebra")
    assert tasting.reset(ana.pk) == 1
    assert list(tasting.tastes_of([ana.pk, bo.pk])) == [bo.pk]
    assert tasting.reset(ana.pk) == 0


def test_the_taste_stays_when_the_text_of_the_job_goes():
    ana = person()
    job = give(ana, "Zebra")
    type(job).objects.filter(pk=job.pk).update(title="", description="", text_dropped_at=NOON)
    give(ana, "Quokka")
    assert set(terms(ana)) == {"zebra", "quokka"}


def test_thumbs_beyond_the_newest_go(monkeypatch):
    monkeypatch.setattr("jobs.scoring.taste.MOST_THUMBS", 3)
    ana = person()
    for word in ("Zebra", "Quokka", "Ocelot", "Wombat"):
        give(ana, word)
    assert set(terms(ana)) == {"quokka", "ocelot", "wombat"}
    assert (Thumb.objects.count(), MOST_THUMBS) == (3, 200)


def test_nothing_is_kept_for_whom_or_what_there_is_not():
    ana = person()
    assert not tasting.give("bm9ib2R5", JobFactory().pk, up=True, title="Zebra", now=NOON)
    assert not tasting.give(ana.pk, "upwork:1", up=True, title="Zebra", now=NOON)
    assert not Thumb.objects.exists()
    assert not Taste.objects.exists()


def test_both_go_with_the_user():
    give(person(), "Zebra")
    User.objects.all().delete()
    assert not Thumb.objects.exists()
    assert not Taste.objects.exists()


def test_a_scan_reads_tastes_with_the_searches_of_a_block(django_assert_num_queries):
    people = [person(f"u{n}@example.com") for n in range(3)]
    for each in people[:2]:
        give(each, "Zebra")
    with django_assert_num_queries(2):
        searches = verdicts.searches_of([each.pk for each in people], {})
    assert [s.taste.terms if s.taste else None for s in searches].count({"zebra": 3.2}) == 2


def test_examples_are_titles_the_newest_first():
    ana = person()
    for title, up in (("A", True), ("B", False), ("C", True)):
        give(ana, title, up)
    assert tasting.examples_of(ana.pk) == Examples(("C", "A"), ("B",))


@pytest.mark.parametrize(
    ("terms", "constraint"),
    [
        ({"zebra": 6.1}, "taste_terms_are_bounded"),
        ({"zebra": -6.1}, "taste_terms_are_bounded"),
        ({"zebra": "much"}, "taste_terms_are_bounded"),
        ({f"w{n}": 1 for n in range(51)}, "taste_terms_are_few"),
    ],
)
def test_the_database_holds_the_bounds(terms, constraint):
    ana = person()
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Taste.objects.create(user=ana, terms=terms)
    Taste.objects.create(user=ana, terms={"zebra": 6, "quokka": -6, "ocelot": 0.5})


def test_the_database_holds_one_thumb_a_job():
    ana, job = person(), JobFactory()
    Thumb.objects.create(user=ana, job=job, up=True, given_at=NOON)
    with pytest.raises(IntegrityError, match="thumb_once"), transaction.atomic():
        Thumb.objects.create(user=ana, job=job, up=False, given_at=NOON)

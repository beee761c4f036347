"""Never this country, never this word: into every active search, and out again."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from accounts.models import Preferences, Search
from accounts.profile_values import ProfileError
from accounts.profiles import read_profile
from deliveries.ledger.refilter import unwanted
from deliveries.never import allow, avoid
from deliveries.people import save_profile
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db
THREE = [
    {"name": "Shops", "skills": ["Django"], "words_none": ["seo"]},
    {"name": "Blogs", "skills": ["WordPress"]},
    {"name": "Off", "skills": ["Rust"], "active": False},
]


def stored(field="words_none"):
    return dict(Search.objects.values_list("name", field))


def test_a_word_goes_into_every_active_search_that_does_not_want_it():
    ana = person(searches=THREE)
    found = avoid(ana, "words_none", " wordpress ", now=NOON)
    assert stored() == {"Shops": ["seo", "wordpress"], "Blogs": [], "Off": []}
    assert (found.now_in, found.was_in) == (("Shops",), ())
    assert found.left == (("Blogs", "It asks for “WordPress”."),)


def test_again_it_changes_nothing():
    ana = person(searches=THREE)
    first = avoid(ana, "words_none", "SEO", now=NOON)
    assert (first.now_in, first.was_in) == (("Blogs",), ("Shops",))
    saved = Preferences.objects.get().saved_at
    found = avoid(ana, "words_none", "seo", now=NOON)
    assert (found.added, found.was_in) == ((), ("Shops", "Blogs"))
    assert Preferences.objects.get().saved_at == saved


def test_a_country_and_back_to_exactly_what_was():
    ana = person(searches=THREE, timezone="Asia/Tokyo")
    before = list(Search.objects.values())
    found = avoid(ana, "countries_exclude", "India", now=NOON)
    assert stored("countries_exclude") == {"Shops": ["IN"], "Blogs": ["IN"], "Off": []}
    assert allow(ana, "countries_exclude", "IN", found.added, now=NOON)
    assert list(Search.objects.values()) == before
    assert not allow(ana, "countries_exclude", "IN", found.added, now=NOON)
    assert Preferences.objects.get().timezone == "Asia/Tokyo"


def test_undoing_leaves_alone_what_came_before_and_after():
    ana = person(searches=THREE)
    added = avoid(ana, "words_none", "seo", now=NOON).added
    save_profile(
        ana.email, read_profile({"min_hourly": 50, "words_none": ["seo", "logo"]}), now=NOON
    )
    allow(ana, "words_none", "seo", added, now=NOON)
    assert stored() == {"Shops": ["seo", "logo"], "Blogs": [], "Off": []}
    assert stored("min_hourly")["Shops"] == 50


def test_nobody_changes_the_searches_of_others():
    ana, bo = person(), person("bo@example.com", words_none=["seo"])
    assert not allow(ana, "words_none", "seo", [bo.searches.get().pk], now=NOON)
    avoid(ana, "words_none", "logo", now=NOON)
    assert bo.searches.get().words_none == ["seo"]


def test_an_open_form_notices():
    ana = person()
    Preferences.objects.update(saved_at=NOON)
    avoid(ana, "words_none", "logo", now=NOON)
    assert Preferences.objects.get().saved_at > NOON


def test_what_waits_is_ruled_out_when_its_turn_comes():
    row = queued(person(), JobFactory(client_country="IN"))
    avoid(row.user, "countries_exclude", "IN", now=NOON)
    assert unwanted(row.user_id, [row.pk]) == {row.pk}


def test_undoing_what_would_let_everything_through_is_refused():
    ana = person()
    added = avoid(ana, "words_none", "logo", now=NOON).added
    Search.objects.update(skills=[])
    with pytest.raises(ProfileError, match="every job through"):
        allow(ana, "words_none", "logo", added, now=NOON)
    assert stored() == {"My search": ["logo"]}


def test_somebody_gone_is_an_error():
    ana = person()
    Preferences.objects.all().delete()
    with pytest.raises(Preferences.DoesNotExist):
        avoid(ana, "words_none", "logo", now=NOON)


@pytest.mark.django_db(transaction=True)
def test_steps_at_once_lose_none_of_them():
    ana = person()

    def step(word):
        try:
            return avoid(ana, "words_none", word, now=NOON)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(step, ["seo", "logo", "crypto", "casino"]))
    assert sorted(stored()["My search"]) == ["casino", "crypto", "logo", "seo"]

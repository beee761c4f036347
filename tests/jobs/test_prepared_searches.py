"""Preparing searches once: kept for every process, made anew when the words change."""

import pytest
from django.db import transaction

from accounts.models import Search
from jobs import prepared_searches
from jobs.models import PreparedSearch
from jobs.prepared_searches import make_ready
from jobs.scoring import offer
from jobs.verdicts import searches_of
from tests.factories import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def process():
    """A process that knows nothing yet; calling it begins another."""
    offer.forget()
    return offer.forget


def searches():
    return searches_of(list(Search.objects.values_list("user_id", flat=True)), {})


def test_a_search_is_prepared_once_for_all_processes(process, monkeypatch):
    person("ana@example.com", skills=["Django"], headline="Django developer")
    assert [make_ready(searches()), make_ready(searches())] == [1, 0]
    known = offer.prepare(searches()[0].terms)
    process()
    monkeypatch.setattr(offer, "_prepared", None)  # nothing is worked out again
    assert make_ready(searches()) == 0
    assert offer.prepare(searches()[0].terms).query == known.query


def test_it_is_made_anew_when_the_words_change_and_goes_with_the_search(process):
    person("ana@example.com", skills=["Django"])
    make_ready(searches())
    Search.objects.update(skills=["Go"])
    process()
    assert make_ready(searches()) == 1
    Search.objects.all().delete()
    assert not PreparedSearch.objects.exists()


def test_a_deleted_search_and_a_database_in_trouble_stop_nobody(process, monkeypatch, caplog):
    person("ana@example.com", skills=["Django"])
    known = searches()
    Search.objects.all().delete()
    assert make_ready(known) == 1
    assert not PreparedSearch.objects.exists()
    process()
    monkeypatch.setattr(prepared_searches, "_KEEP", "SELECT nothing")
    with transaction.atomic():
        make_ready(known)
    assert "searches are not prepared: ProgrammingError" in caplog.text

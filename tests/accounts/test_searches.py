from dataclasses import asdict
from decimal import Decimal

import pytest

from accounts.enrolment import enrol
from accounts.models import Search
from accounts.profiles import SEARCH_KEYS, read_profile
from accounts.terms import SearchTerms
from tests.factories import person

pytestmark = pytest.mark.django_db

NONE = "min_hourly min_fixed min_client_spent min_client_hires min_client_hire_rate"
NONE += " min_client_rating max_proposals posted_within_hours"
EMPTY = "skills words_any words_all words_none experience_levels categories countries_include"
EMPTY += " countries_exclude languages durations strict"
BLANK = "headline about wants my_country"


def test_an_empty_profile_gets_one_search_with_the_promised_defaults():
    enrol("ana@example.com", read_profile({}))
    terms = Search.objects.get().terms()
    assert terms == SearchTerms() == Search().terms()
    assert asdict(terms) == {
        **dict.fromkeys(NONE.split(), None),
        **dict.fromkeys(EMPTY.split(), ()),
        **dict.fromkeys(BLANK.split(), ""),
        "name": "My search",
        "active": True,
        "job_types": ("hourly", "fixed"),
        "payment_verified_only": False,
        "min_score": 70,
    }
    assert set(asdict(terms)) == {*SEARCH_KEYS, "name", "active"}


def test_terms_are_what_was_stored():
    person(skills=["C++", "Go"], min_hourly=35.555, languages=["German"], strict=["min_hourly"])
    assert Search.objects.get().terms() == SearchTerms(
        skills=("C++", "Go"),
        min_hourly=Decimal("35.56"),
        languages=("de",),
        strict=("min_hourly",),
    )

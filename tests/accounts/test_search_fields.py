import dataclasses
from decimal import Decimal

import pytest

from accounts.forms.search import SearchForm
from accounts.profiles import NAMED_KEYS
from accounts.search_fields import FIELDS, FILTERS, OTHERS, asks, conflict, refusal, too_open
from accounts.terms import SearchTerms
from accounts.vocabulary import STRICTABLE


def test_every_field_of_a_search_is_a_filter_or_is_named_apart():
    fields = {field.name for field in dataclasses.fields(SearchTerms)}
    assert fields == set(FILTERS) | set(OTHERS) == set(NAMED_KEYS)
    assert not set(FILTERS) & set(OTHERS)
    assert set(OTHERS) == {"name", "active", "headline", "about", "wants", "min_score", "strict"}


def test_what_can_be_strict_says_what_becomes_of_the_unstated():
    assert {name for name, field in FILTERS.items() if field.not_stated} == set(STRICTABLE)


def test_the_form_uses_these_words():
    for name, field in FIELDS.items():
        if name != "strict":
            assert SearchForm.base_fields[name].label == field.label
            assert SearchForm.base_fields[name].help_text == field.help


@pytest.mark.parametrize(
    ("name", "value", "asked"),
    [
        ("job_types", ("hourly",), True),
        ("job_types", ("hourly", "fixed"), False),
        ("job_types", (), False),
        ("words_any", (" ",), False),
        ("words_all", ("-", "_ \u2013"), False),
        ("words_any", ("a",), True),
        ("min_hourly", None, False),
        ("min_client_hires", 0, True),
        ("payment_verified_only", False, False),
        ("my_country", "", False),
        ("my_country", "DE", True),
    ],
)
def test_a_filter_is_asked_for_when_it_has_a_value(name, value, asked):
    assert asks(SearchTerms(**{name: value}), name) == asked


@pytest.mark.parametrize(
    ("terms", "refused"),
    [
        ({}, True),
        ({"min_score": 90}, True),
        ({"headline": " "}, True),
        ({"strict": ("min_hourly",)}, True),
        ({"headline": "Django developer"}, False),
        ({"about": "I build shops."}, False),
        ({"headline": "Django developer", "min_score": 0}, True),
        ({"skills": ("Django",), "min_score": 0}, False),
        ({"min_hourly": Decimal(40), "min_score": 0}, False),
        ({"min_hourly": Decimal(0), "min_client_hires": 0}, True),
        ({"min_hourly": Decimal(0), "strict": ("min_hourly",)}, False),
        ({"words_none": ("-",)}, True),
    ],
)
def test_a_search_that_lets_everything_through_is_told_why(terms, refused):
    reason = too_open(SearchTerms(**terms))
    assert (reason is not None) == refused
    assert reason is None or reason.startswith("This search would let every job through")


@pytest.mark.parametrize(
    ("terms", "name"),
    [
        ({"words_all": ("Node.js", "React Native"), "words_none": ("react",)}, "words_all"),
        (
            {"words_any": ("PHP", "cold-calling"), "words_none": ("php", "Cold calling")},
            "words_any",
        ),
        ({"skills": ("PHP",), "words_none": ("php",)}, "skills"),
        ({"countries_include": ("US",), "countries_exclude": ("DE", "US")}, "countries_include"),
        ({"words_all": ("react",), "words_none": ("react native", "reactor")}, None),
        ({"words_all": ("c++", "javascript"), "words_none": ("c", "java")}, None),
        ({"words_any": ("php", "go"), "words_none": ("php",)}, None),
        ({"skills": ("PHP",), "words_any": ("go",), "words_none": ("php",)}, None),
        ({"countries_include": ("US", "DE"), "countries_exclude": ("US",)}, None),
        ({"words_none": ("php",), "countries_exclude": ("US",)}, None),
    ],
)
def test_a_search_that_wants_what_it_avoids_is_told_where(terms, name):
    found = conflict(SearchTerms(**terms))
    assert (found and found[0]) == name
    assert refusal(SearchTerms(**terms)) == found


def test_a_search_that_lets_everything_through_is_refused_at_its_skills():
    assert (refusal(SearchTerms()) or ("", ""))[0] == "skills"

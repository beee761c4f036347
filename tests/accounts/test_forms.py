"""Forms that show some of the fields: what they do not show stays as it is."""

from datetime import time
from decimal import Decimal

import pytest
from django.http import QueryDict

from accounts.forms.preferences import PreferencesForm
from accounts.forms.search import SearchForm
from accounts.models import Preferences, Search
from accounts.person import is_set_up
from tests.factories import person

STORED = Search(name="A", headline="Django developer", skills=["Django"], min_hourly=Decimal(40))


def typed(values):
    data = QueryDict(mutable=True)
    data.update(values)
    return data


def test_a_part_of_a_search_changes_that_part_and_is_judged_as_a_whole():
    data = typed({"search-1-headline": "Go developer"})
    form = SearchForm(STORED, 1, data, only=("headline", "skills"))
    assert form.is_valid(), form.errors
    assert form.values() == {"headline": "Go developer", "skills": []}
    assert (form.terms().headline, form.terms().min_hourly) == ("Go developer", 40)
    assert [[row.field.name for row in group.rows] for group in form.groups()] == [
        ["headline", "skills"]
    ]


@pytest.mark.parametrize(
    ("only", "field", "message"),
    [
        (("words_none", "skills"), "skills", "A post must name one of these, but each"),
        (("words_none",), "__all__", "Skills: A post must name one of these, but each"),
    ],
)
def test_what_nothing_can_pass_is_told_at_the_field_or_by_its_name(only, field, message):
    data = typed({"search-1-words_none": "django", "search-1-skills": "Django"})
    form = SearchForm(STORED, 1, data, only=only)
    assert not form.is_valid()
    assert form.errors[field][0].startswith(message)


def test_some_preferences_are_shown_and_changed_alone():
    stored = Preferences(mode="daily", timezone="Asia/Tokyo", quiet_from=time(22))
    data = typed({"mail-mode": "instant", "mail-digest_hour": "9"})
    form = PreferencesForm(stored, data, only=("mode", "digest_hour"))
    assert form.is_valid(), form.errors
    assert form.changed() == {"mode": "instant", "digest_hour": 9}
    assert [group.legend for group in form.groups()] == ["When mail comes"]
    assert PreferencesForm(stored, typed({}), only=("quiet_from", "quiet_until")).is_valid()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("searches", "is_so"),
    [
        ([{"name": "A", "skills": ["Go"]}], True),
        ([{"name": "A", "skills": ["Go"], "active": False}], False),
        ([{"name": "A", "skills": ["Go"], "active": False}, {"name": "B", "skills": ["C"]}], True),
    ],
)
def test_who_is_set_up_has_a_search_that_is_on_and_says_something(searches, is_so):
    assert is_set_up(person(searches=searches).pk) is is_so


@pytest.mark.django_db
def test_a_search_nobody_described_is_none():
    user = person()
    Search.objects.update(skills=[])
    assert not is_set_up(user.pk)

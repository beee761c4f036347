# ruff: noqa: E501 -- one row of a table a line
import json
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.profiles import PREFERENCE_KEYS, SEARCH_KEYS, ProfileError, read_profile
from accounts.vocabulary import DURATIONS, STRICTABLE
from tests.accounts.instruments import JSON, refusal

# Key, what a file may say, what is stored, what a file may not say, and the error.
WORDS = '"Django" is not a list; write one such as ["…"], or [].'.replace('"Django"', "'Django'")
TABLE: list[tuple[str, Any, Any, Any, str]] = [
    ("headline", " Python  dev ", "Python dev", 7, "7 is not text; write it in quotes."),
    ("about", "a\nb", "a\nb", None, "null is not text; write it in quotes."),
    ("wants", "", "", ["x"], "['x'] is not text; write it in quotes."),
    ("skills", ["Go", "Go", "C++"], ["Go", "C++"], "Django", WORDS),
    ("words_any", [], [], [" "], "' ' has 0 characters; write 1 to 80."),
    ("words_all", ["c#"], ["c#"], [None], "null is not text; write it in quotes."),
    ("words_none", ["a b"], ["a b"], ["x"] * 201, "201 entries are too many; write at most 200."),
    ("job_types", ["fixed"], ["fixed"], ["weekly"], "'weekly' is not known; write one of hourly, fixed."),
    ("min_hourly", 35.5, Decimal("35.5"), "much", "'much' is not a number from 0 to 9999999; write one, or null."),
    ("min_fixed", None, None, -1, "-1 is not a number from 0 to 99999999; write one, or null."),
    ("experience_levels", ["expert"], ["expert"], ["guru"], "'guru' is not known; write one of entry, intermediate, expert."),
    ("categories", ["Web"], ["web_mobile_software_dev"], {}, '{} is not a list; write one such as ["…"], or [].'),
    ("countries_include", ["Germany", "us"], ["DE", "US"], ["Atlantis"], "'Atlantis' is not a country; write one such as DE or Germany."),
    ("countries_exclude", [], [], [1], "1 is not a country; write one such as DE or Germany."),
    ("my_country", "", "", None, "null is not a country; write one such as DE or Germany."),
    ("languages", ["German", "de"], ["de"], ["Elvish"], "'Elvish' is not a language; write one such as en or English."),
    ("min_client_spent", 99_999_999_999, Decimal(99_999_999_999), True, "true is not a number from 0 to 99999999999; write one, or null."),
    ("min_client_hires", 3, 3, 1.5, "1.5 is not a whole number from 0 to 1000000; write one, or null."),
    ("min_client_hire_rate", 100, Decimal(100), 101, "101 is not a number from 0 to 100; write one, or null."),
    ("min_client_rating", "4.5", Decimal("4.5"), 5.01, "5.01 is not a number from 0 to 5; write one, or null."),
    ("payment_verified_only", True, True, "yes", "'yes' is neither true nor false; write one of these."),
    ("max_proposals", 20.0, 20, "few", "'few' is not a whole number from 0 to 1000000; write one, or null."),
    ("durations", list(DURATIONS), list(DURATIONS), ["day"], "'day' is not known; write one of week, month, quarter, semester, ongoing."),
    ("posted_within_hours", 720, 720, 0, "0 is not a whole number from 1 to 720; write one, or null."),
    ("strict", ["min_hourly"], ["min_hourly"], ["skills"], f"'skills' is not known; write one of {', '.join(STRICTABLE)}."),
    ("min_score", 0, 0, None, "null is not a whole number from 0 to 100; write one."),
    ("mode", "daily", "daily", "weekly", "'weekly' is not known; write one of instant, daily."),
    ("digest_hour", 23, 23, 24, "24 is not a whole number from 0 to 23; write one."),
    ("timezone", "Asia/Kolkata", "Asia/Kolkata", ["UTC"], "['UTC'] is not a time zone; write one such as Europe/Berlin."),
    ("quiet_from", 22, time(22), "late", "'late' is not a time of day; write one such as 22:00, or null."),
    ("quiet_until", "07:30", time(7, 30), 24, "24 is not a time of day; write one such as 22:00, or null."),
    ("max_jobs_per_day", 200, 200, 0, "0 is not a whole number from 1 to 200; write one."),
    ("paused_until", "2030-01-31", datetime(2030, 1, 31, tzinfo=UTC), "soon", "'soon' is not a time; write one such as 2030-01-31T08:00:00Z, or null."),
    ("ai_allowed", False, False, 0, "0 is neither true nor false; write one of these."),
]  # fmt: skip


def test_the_table_holds_every_key():
    assert [row[0] for row in TABLE] == [*SEARCH_KEYS, *PREFERENCE_KEYS]


@pytest.mark.parametrize(("key", "raw", "kept"), [row[:3] for row in TABLE])
def test_a_valid_value(key, raw, kept):
    changes = read_profile({key: raw})
    assert {**changes.search, **changes.preferences} == {key: kept}
    assert changes.searches is None


@pytest.mark.parametrize(("key", "raw", "error"), [(row[0], *row[3:]) for row in TABLE])
def test_an_invalid_value_is_named_with_its_key_and_a_remedy(key, raw, error):
    with pytest.raises(ProfileError) as caught:
        read_profile({key: raw})
    assert str(caught.value) == f"{key}: {error}"


@pytest.mark.parametrize(
    ("key", "raw", "error"), [(r[0], *r[3:]) for r in TABLE[: len(SEARCH_KEYS)]]
)
def test_in_a_list_of_searches_the_search_is_named_too(key, raw, error):
    with pytest.raises(ProfileError) as caught:
        read_profile({"searches": [{"name": "One"}, {key: raw}]})
    assert str(caught.value) == f"searches[2].{key}: {error}"


def test_an_empty_profile_changes_nothing():
    changes = read_profile({})
    assert (changes.preferences, changes.search, changes.searches) == ({}, {}, None)


def test_searches_have_names_of_their_own_or_by_their_place():
    changes = read_profile({"searches": [{"name": " A  b "}, {"active": False, "min_score": 80}]})
    assert changes.searches == (
        {"name": "A b"},
        {"name": "Search 2", "active": False, "min_score": 80},
    )


KNOWN = ", ".join(sorted([*SEARCH_KEYS, *PREFERENCE_KEYS, "searches"]))
NAMED = ", ".join(sorted([*SEARCH_KEYS, "name", "active"]))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        ([], "A profile is one JSON object, not list."),
        (None, "A profile is one JSON object, not NoneType."),
        ({"min_rate": 5}, f"Unknown key 'min_rate': the known ones are {KNOWN}."),
        ({"name": "x", "active": 1}, f"Unknown keys 'active', 'name': the known ones are {KNOWN}."),
        (dict.fromkeys("gfedcba"), f"Unknown keys 'a', 'b', 'c', 'd', 'e' …: the known ones are {KNOWN}."),
        ({"searches": [{"mode": 1}]}, f"Unknown key 'searches[1].mode': the known ones are {NAMED}."),
        ({"searches": []}, "searches: give a list of 1 to 10 objects."),
        ({"searches": [{}] * 11}, "searches: give a list of 1 to 10 objects."),
        ({"searches": {"name": "x"}}, "searches: give a list of 1 to 10 objects."),
        ({"searches": [5]}, "searches[1]: 5 is no object; write one in braces."),
        ({"searches": [{"name": ""}]}, "searches[1].name: '' has 0 characters; write 1 to 80."),
        ({"searches": [{"name": "A"}, {"name": "A "}]}, "searches: give each its own name; these are A, A."),
        ({"searches": [{}], "skills": [], "about": ""}, "searches stands beside about, skills: put these inside one of the searches."),
        ({"quiet_from": 22, "quiet_until": None}, "quiet_from and quiet_until go together: give both, or null for both."),
        ({"quiet_from": 22, "quiet_until": "22:00"}, "quiet_from and quiet_until are both 22:00: give two times."),
    ],
)  # fmt: skip
def test_a_profile_that_does_not_hold_together_is_refused(data, error):
    with pytest.raises(ProfileError) as caught:
        read_profile(data)
    assert str(caught.value) == error


def test_one_end_of_the_quiet_hours_may_stand_alone():
    assert read_profile({"quiet_until": 7}).preferences == {"quiet_until": time(7)}


@given(st.dictionaries(st.sampled_from([*SEARCH_KEYS, *PREFERENCE_KEYS, "searches", "x"]), JSON))
def test_whatever_json_holds_is_read_or_refused(data):
    assert "\ud800" not in refusal(read_profile, data)


def test_the_labelled_profiles_can_be_read(cases):
    renamed = {"exclude_keywords": "words_none", "excluded_countries": "countries_exclude"}
    for line in (cases / "profiles.jsonl").read_text().splitlines():
        row = {
            renamed.get(k, k): v for k, v in json.loads(line).items() if k not in ("id", "field")
        }
        assert set(read_profile(row).search) == set(row)


@pytest.mark.parametrize("blank", ["-", "_ -", "\u2013", "\u0640"])
def test_a_word_of_dashes_alone_is_refused(blank):
    said = refusal(read_profile, {"words_none": ["c++", blank]})
    assert "has no letter or sign to look for; write a word." in said

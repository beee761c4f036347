import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.text.places import countries_of, worker_places
from jobs.text.regions import REGIONS

EU = REGIONS["EU"]


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("Must be based in Germany.", {"DE"}),
        ("The contractor must be based in Ireland or elsewhere within the EU.", EU),
        ("- Must be physically located within the United States", {"US"}),
        ("✅ Must be from India", {"IN"}),
        ("You must be a UK resident.", {"GB"}),
        ("UK residents only, please.", {"GB"}),
        ("Only freelancers located in the U.S. may apply.", {"US"}),
        ("We can only contract with people located in the United States.", {"US"}),
        ("This role is open only to candidates in LATAM.", REGIONS["LATAM"]),
        ("Please only apply if you are physically located in the US.", {"US"}),
        ("We are not considering candidates based outside of the US or Canada.", {"US", "CA"}),
        ("I'm looking for a U.S.-based developer to build a shop.", {"US"}),
        ("We are seeking a reliable freelancer based in the USA to open accounts.", {"US"}),
        ("Location: Remote (US only)", {"US"}),
        ("Location: Only India", {"IN"}),
        ("• U.S.-based only", {"US"}),
        ("US only.", {"US"}),
        ("- UK only, please", {"GB"}),
        ("Must be a native speaker and US-based.", {"US"}),
        ("The freelancer must be UK-based.", {"GB"}),
    ],
)
def test_where_the_worker_must_be(text, countries):
    assert worker_places("Fix a shop", text) == countries
    assert worker_places("Fix a shop", f"Hello.\n{text}\nThanks.") == countries


@pytest.mark.parametrize(
    "title", ["US/EUROPE ONLY - Data scientist", "USA only: narrator", "Designer (US only)"]
)
def test_a_title_may_begin_with_it(title):
    assert "US" in worker_places(title, "")


@pytest.mark.parametrize(
    "text",
    [
        "We are based in Canada.",
        "We are a US-based agency.",
        "Please contact us only by mail.",
        "Tell us more. Only apply if you can help us.",
        "The list must be of companies located in Germany.",
        "Collect investors from US only.",
        "Preferably you must be based in Germany.",
        "If you must be based in Germany, tell us.",
        "You must be based in Germany or work in its time zone.",
        "You must be based in Germany, Atlantis or Spain.",
        "Looking for a developer based in Europe, ideally.",
        "Looking for somebody to build an app for people living in Saudi Arabia.",
        "Working with US-based clients only a little.",
        "Must be available in US hours.",
        "We ship to few places. US only.",
        "Companies must be US-based.",
        "You do not have to be in the US; not necessary that you must be located in the US.",
    ],
)
def test_what_says_nothing_about_the_worker(text):
    assert worker_places("Fix a shop", text) == frozenset()


def test_a_list_of_leads_has_places_of_its_own():
    assert worker_places("List of leads", "- Must be located in Germany") == frozenset()


@pytest.mark.parametrize(
    ("listed", "countries"),
    [("US, Canada or the UK", {"US", "CA", "GB"}), ("Germany/Narnia", set()), ("", set())],
)
def test_a_list_with_an_unknown_place_is_no_limit(listed, countries):
    assert countries_of(listed) == countries


@given(st.text(), st.text())
def test_any_text_has_an_answer(title, description):
    assert isinstance(worker_places(title, description), frozenset)

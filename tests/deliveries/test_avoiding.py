"""What a search may be told never to bring, and which words of a job are offered."""

import pytest

from accounts.profile_values import ProfileError
from accounts.terms import SearchTerms
from deliveries.avoiding import is_avoided, objection, offers, read_avoided

DJANGO = SearchTerms(
    skills=("Django", "REST API"), words_none=("WordPress",), countries_exclude=("IN",)
)


@pytest.mark.parametrize(
    ("field", "written", "entry"),
    [
        ("countries_exclude", "Germany", "DE"),
        ("countries_exclude", "de", "DE"),
        ("words_none", "  Logo \n design\0 ", "Logo design"),
    ],
)
def test_reading(field, written, entry):
    assert read_avoided(field, written) == entry


@pytest.mark.parametrize(
    ("field", "written"),
    [("countries_exclude", "Atlantis"), ("words_none", "--"), ("words_none", "x" * 81)],
)
def test_what_is_none_is_refused(field, written):
    with pytest.raises(ProfileError):
        read_avoided(field, written)


def test_what_is_avoided_already_in_any_writing():
    assert is_avoided(DJANGO, "words_none", "wordpress")
    assert is_avoided(DJANGO, "countries_exclude", "IN")
    assert not is_avoided(DJANGO, "words_none", "press")


@pytest.mark.parametrize(
    ("search", "field", "entry", "reason"),
    [
        (DJANGO, "words_none", "logo", None),
        (DJANGO, "words_none", "rest api", "It asks for “REST API”."),
        (DJANGO, "words_none", "REST", "It asks for “REST API”."),
        (DJANGO, "words_none", "res", None),
        (SearchTerms(), "words_none", "logo", "This search would let every job through: say what"),
        (SearchTerms(countries_include=("DE",)), "countries_exclude", "DE", "Each of these is"),
        (SearchTerms(countries_include=("DE", "FR")), "countries_exclude", "DE", None),
        (SearchTerms(skills=("a",), words_none=("x",) * 200), "words_none", "y", "201 entries"),
    ],
)
def test_why_a_search_cannot_avoid_it(search, field, entry, reason):
    found = objection(search, field, entry)
    assert found is None if reason is None else found.startswith(reason)


def test_skills_and_telling_words_are_offered():
    title = "Need a Senior Django developer for WordPress and Shopify 2024"
    skills = ("Shopify", "REST API", "--", "x" * 31)
    assert offers(title, skills, [DJANGO]) == ("Shopify", "senior")


def test_eight_words_at_most_and_a_word_once():
    found = offers("zebra Zebra " + " ".join(f"quokka{n}" for n in range(20)), ("ZEBRA",), [DJANGO])
    assert (len(found), found[:2]) == (8, ("ZEBRA", "quokka0"))

"""Skills are read from a text: the names it uses, in whatever form, and no ordinary words."""

import json

import pytest

from jobs.text.skills import names_of
from jobs.text.suggesting import suggested_skills


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("I love long walks.", []),
        ("I build web back ends in Python and Django.", ["Python", "Django"]),
        ("postgres, NODEJS and k8s", ["PostgreSQL", "Node.js", "Kubernetes"]),
        ("React Native apps", ["React Native"]),
        ("React Native and React", ["React Native", "React"]),
        ("C++, C#, .NET", ["C++", "C#", ".NET"]),
        ("Django, Flask; Django again, flask", ["Django", "Flask"]),
        ("Spanish translator and copywriter", ["Translation", "Copywriting"]),
        ("Video editor, grant writer", ["Video editing", "Grant writing"]),
        ("Google Sheets, Apps Script", ["Google Sheets", "Apps Script"]),
        ("موقع WordPress", ["WordPress"]),
    ],
)
def test_what_a_text_names_is_suggested_by_its_usual_name(text, found):
    assert sorted(suggested_skills(text)) == sorted(found)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("I go to work", False),
        ("Go to my site", False),
        ("Done. Go on", False),
        ("Services in Go", True),
        ("Python, go, rust", True),
        ("- go", True),
        ("Go", True),
        ("Golang", False),  # is suggested as Golang
    ],
)
def test_an_ordinary_word_counts_where_it_stands_as_a_name(text, meant):
    assert ("Go" in suggested_skills(text)) is meant


def test_the_most_named_come_first_and_only_so_many():
    text = "Docker. Redis, Redis. Python Python Python."
    assert suggested_skills(text) == ["Python", "Redis", "Docker"]
    assert suggested_skills(text, most=2) == ["Python", "Redis"]


@pytest.mark.parametrize("listed", ["Postgres", "postgresql", "PostgreSQL"])
def test_what_is_listed_is_not_suggested_again(listed):
    assert suggested_skills("PostgreSQL and Redis", listed=[listed]) == ["Redis"]


def test_names_from_elsewhere_are_known_too_unless_they_are_any_posts_words():
    text = "Zope and Plone sites, good communication, design"
    known = ["Zope", "Plone sites", "Design", "communication", "a phrase of very many words", "  "]
    assert suggested_skills(text, known=known) == ["Zope", "Plone sites"]


@pytest.mark.parametrize("text", ["(" * 5_000, "\x00,\n" * 500, "go " * 3_000, "ж" * 20_000])
def test_any_text_is_read(text):
    assert isinstance(suggested_skills(text), list)


def test_of_real_profiles_half_the_skills_are_read_and_most_of_what_is_read_is_right(cases):
    lines = (cases / "profiles.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = right = read = 0
    for profile in map(json.loads, lines):
        found = suggested_skills(f"{profile['headline']}\n{profile['about']}")
        names = {name for skill in found for name in names_of(skill)}
        right += sum(bool(names & set(names_of(skill))) for skill in profile["skills"])
        wanted, read = wanted + len(profile["skills"]), read + len(found)
    assert right / wanted > 0.5
    assert right / read > 0.6

import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.terms import SearchTerms
from jobs.postings.posting import Posting
from jobs.scoring import LOW_MOST, Score, score
from jobs.scoring.features import NAMES
from jobs.scoring.weights import Weights, shipped
from jobs.table import JobTable
from jobs.text import lexicon

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG = " The shop sells tea and coffee to people in many towns and it has grown a lot." * 4
DEVELOPER = SearchTerms(
    headline="Django and Python back-end developer",
    about="I write APIs and fix slow queries.",
    wants="Back-end work in Python. No PHP, no WordPress themes.",
    skills=("Django", "Python", "Celery", "Redis"),
    min_hourly=Decimal(35),
    min_fixed=Decimal(400),
)


def post(**values: Any) -> Posting:
    return Posting(**{"id": "upwork:1", "title": "Help", "description": LONG, **values})


GOOD = post(
    title="Django developer for a shop",
    description="We need a back end in Python with Celery." + LONG,
    skills=("Python", "Django"),
    job_type="hourly",
    hourly_max=Decimal(60),
    currency="USD",
)


def score_of(posting: Posting, search: SearchTerms = DEVELOPER) -> Score:
    table = JobTable.of([posting], [NOW])
    (found,) = score([search], table, np.array([0]), np.array([0]))
    return found


def test_the_right_work_is_above_the_threshold_and_other_work_below():
    assert score_of(GOOD).score >= 70
    assert score_of(post(title="Logo for a bakery", skills=("Logo Design",))).score < 40


def test_reasons_name_the_evidence():
    assert score_of(GOOD).reasons == (
        "Names 3 of your 4 skills: Django (title), Python (tags), Celery (text)",
        "Your headline's words appear in the title: django, developer",
        "Pays up to $60/h, your floor is $35/h",
    )


@pytest.mark.parametrize(
    ("posting", "concern"),
    [
        ({}, "Budget not stated"),
        ({"description": ""}, "Has hardly any description"),
        (
            {"description": "Please help us with the thing, it is urgent."},
            "Says little about the work",
        ),
        ({"job_type": "hourly"}, "Rate not stated"),
        ({"fixed_budget": Decimal(5), "currency": "USD"}, "Its budget looks like a placeholder"),
        ({"fixed_budget": Decimal(900), "currency": "XAU"}, "What it pays is in XAU, of unknown"),
        ({"client_spent": Decimal(0)}, "New client without history"),
        ({"client_payment_verified": False}, "Client's way to pay is not verified"),
        ({"proposals": 50}, "Many proposals (50+)"),
        ({"title": "Survey: tell us about tea"}, "Looks like a survey"),
        ({"skills": tuple("abcdefghijklm")}, "Lists many tags (13), some may be unrelated"),
        ({"title": "PHP page"}, "Seems to name what you rule out: php"),
        (
            {"job_type": "hourly", "hourly_min": Decimal(9), "currency": "USD"},
            "Pays from $9/h, below your floor of $35/h",
        ),
        ({"title": "German Django course"}, "Speaks of German, which you do not mention"),
        (
            {"description": "You are fluent in English and Spanish." + LONG},
            "Asks for Spanish, which you do not mention",
        ),
        ({"title": "Logo in Python"}, "Its title speaks of design, which you do not mention"),
        ({"title": "Help with Django homework"}, "Looks like homework, tutoring or help with an"),
        ({"skills": ("Python",)}, "Your skills stand among its tags only; its text names none"),
        ({"description": "You must be located in Ohio." + LONG}, "May be tied to a place: "),
        (
            {"job_type": "hourly", "hourly_max": Decimal(9), "currency": "USD"},
            "Pays up to $9/h, below your floor of $35/h",
        ),
        (
            {
                "description": "Precisamos de uma pessoa para a nossa loja e para o site com você. "
                * 3
            },
            "Written in Portuguese, which you do not mention",
        ),
    ],
)
def test_concerns_name_the_evidence(posting, concern):
    assert any(found.startswith(concern) for found in score_of(post(**posting)).concerns)


def test_a_client_with_hires_or_money_spent_is_not_new():
    for known in ({"client_hires": 3, "client_spent": Decimal(0)}, {"client_hires": 0}):
        new = "New client without history" in score_of(post(**known)).concerns
        assert new == (known == {"client_hires": 0})


def test_what_is_ruled_out_is_told_once_and_never_more_than_the_post_names():
    wants = "Not Shopify or Wix, not web only, no Power BI, not data entry."
    search = SearchTerms(headline="Baker", skills=("Data",), wants=wants)
    found = score_of(post(title="Shopify, Wix and web pages, data entry"), search).concerns
    assert [each for each in found if "rule out" in each] == [
        "Seems to name what you rule out: shopify, wix, data entry",
        "Names web, and you rule out “web only”",
    ]


def test_one_word_of_the_headline_is_one_word():
    reasons = score_of(post(title="Django page")).reasons
    assert "One word of your headline appears in the title: django" in reasons


def test_money_of_others_is_told_as_converted():
    paid = {"job_type": "fixed", "fixed_budget": Decimal(90_000), "currency": "INR"}
    (told,) = [each for each in score_of(post(**paid)).reasons if "budget" in each]
    assert re.fullmatch(
        r"Has a budget of about \$[\d.,]+ \(converted from INR\), your floor is \$400", told
    )


def test_a_single_skill_is_not_counted():
    told = score_of(post(skills=("Django",)), SearchTerms(skills=("Django",))).reasons
    assert told[0] == "Names your one skill: Django (tags)"


def test_a_short_name_in_a_sentence_is_no_skill():
    golang = SearchTerms(skills=("Go", "Kubernetes"))
    told = score_of(post(description="Please go on with Kubernetes." + LONG), golang).reasons
    assert told[0] == "Names 1 of your 2 skills: Kubernetes (text)"
    named = post(skills=("Go",), description="We go on with Go." + LONG)
    assert score_of(named, golang).reasons[0] == "Names 1 of your 2 skills: Go (tags)"


def test_what_is_ruled_out_never_speaks_for_a_job():
    silent = SearchTerms(headline="Baker", wants="")
    loud = SearchTerms(headline="Baker", wants="No PHP, no WordPress themes.")
    php = post(title="PHP and WordPress themes")
    assert score_of(php, loud).score <= score_of(php, silent).score


def test_a_survey_stays_low_however_well_it_fits():
    survey = post(title="Survey for a Django and Python developer", skills=("Python", "Django"))
    assert score_of(survey).score <= LOW_MOST


@pytest.mark.parametrize(
    ("title", "survey"),
    [
        ("Survey: share your thoughts on work as a Django developer", True),
        ("Short paid survey for Python people", True),
        ("Product evaluation survey - tripod", True),
        ("Python people: share your experience with us", True),
        ("Answers wanted in our short questionnaire", True),
        ("Earn $10: participate in a study for Python programmers", True),
        ("Python developers for user research interviews", True),
        ("User interview with somebody who uses Python", True),
        ("Opinion poll about Python", True),
        ("Encuesta para programadores Python", True),
        ("Análisis de una encuesta en Python", False),
        ("Opinion poll data analysis in Python", False),
        ("Translation of a form questionnaire", False),
        ("Python platform for interviews", False),
        ("Participants needed for a study on Django", True),
        ("Please fill out our questionnaire", True),
        ("English to Spanish translation of a questionnaire", False),
        ("Python developer for survey report tool", False),
        ("Survey analysis in Python", False),
        ("Data analyst for an employee engagement survey", False),
    ],
)
def test_a_survey_is_a_post_that_wants_answers(title, survey):
    concern = "Looks like a survey"
    assert (concern in score_of(post(title=title)).concerns) == survey


def test_a_list_of_tags_that_nothing_bears_out_stays_low():
    tags = ("Django", "Python", "Celery", "Redis", "Neo4j", "Logo Design", "SEO")
    stuffed = post(title="Fix our video headset", skills=tags)
    backed = post(title="Fix our Django shop", skills=tags)
    assert score_of(stuffed).score <= LOW_MOST < score_of(backed).score


def test_a_little_is_taken_off_for_a_crowd_and_for_an_unverified_client():
    crowded = Posting(**{**fields(GOOD), "proposals": 50, "client_payment_verified": False})
    assert score_of(crowded).score == pytest.approx(score_of(GOOD).score - 5, abs=1)


def fields(posting: Posting) -> dict[str, Any]:
    return {name: getattr(posting, name) for name in Posting.__dataclass_fields__}


def test_no_pairs_no_scores():
    empty = np.array([], dtype=np.intp)
    assert score([DEVELOPER], JobTable.of([GOOD], [NOW]), empty, empty) == []


def test_a_search_without_words_can_be_scored():
    assert 0 <= score_of(GOOD, SearchTerms()).score < 70


TEXT = st.lists(st.sampled_from("django python shop php logo survey c++ größe".split())).map(
    " ".join
)
postings = st.builds(
    Posting,
    id=st.just("upwork:1"),
    title=TEXT,
    description=TEXT,
    skills=TEXT.map(str.split).map(tuple),
)
searches = st.builds(SearchTerms, headline=TEXT, wants=TEXT, skills=TEXT.map(str.split).map(tuple))


@settings(max_examples=50)
@given(st.lists(searches, min_size=1, max_size=3), st.lists(postings, min_size=1, max_size=4))
def test_a_pair_scores_the_same_in_any_block(wanted, posted):
    table = JobTable.of(posted, [NOW] * len(posted))
    rows, cols = (grid.ravel() for grid in np.indices((len(wanted), len(posted))))
    block = score(wanted, table, rows, cols)
    alone = [score_of(posted[j], wanted[s]) for s, j in zip(rows, cols, strict=True)]
    assert block == alone
    assert score(wanted, table, rows[::-1], cols[::-1]) == block[::-1]


def test_shipped_weights_are_readable_and_complete():
    assert len(shipped().weight) == len(NAMES)
    with pytest.raises(ValueError, match="does not hold the features"):
        Weights.from_json({"features": {}, "bias": 0, "cut": 0})


def test_the_cut_scores_70():
    assert shipped().points(np.array([shipped().cut])) == pytest.approx(70)


def test_the_lexicon_holds_stems_and_counts_only():
    data = json.loads(Path(lexicon.LEXICON).read_text(encoding="utf-8"))
    assert set(data) == {"posts", "stems"}
    assert all(" " not in stem and isinstance(n, int) for stem, n in data["stems"].items())

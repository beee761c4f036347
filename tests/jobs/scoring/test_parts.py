"""What a score is made of: parts that add up to it, each with the sign of what it stands for."""

from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.terms import SearchTerms
from jobs.postings.posting import Posting
from jobs.scoring import LOW_MOST, Score, score
from jobs.scoring.features import NAMES
from jobs.scoring.parts import (
    DEDUCTIONS,
    LEARNED,
    PARTS,
    SLUGS,
    START,
    in_words,
    learned_points,
    whole_parts,
)
from jobs.scoring.weights import shipped
from jobs.table import JobTable

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG = " The shop sells tea and coffee to people in many towns and it has grown a lot." * 4
DEVELOPER = SearchTerms(
    headline="Django and Python back-end developer",
    wants="Back-end work in Python. No PHP, no WordPress themes.",
    skills=("Django", "Python", "Celery", "Redis"),
    min_hourly=Decimal(35),
)
GOOD = {
    "title": "Django developer for a shop",
    "description": "We need a back end in Python with Celery." + LONG,
    "skills": ("Python", "Django"),
}


def found(search=DEVELOPER, **post) -> Score:
    table = JobTable.of([Posting(**{"id": "upwork:1", **GOOD, **post})], [NOW])
    [one] = score([search], table, np.array([0]), np.array([0]))
    return one


def test_every_feature_belongs_to_exactly_one_part():
    assert sorted(name for part in LEARNED for name in part.features) == sorted(NAMES)
    assert len(set(SLUGS)) == len(SLUGS)
    assert all(part.label and part.about for part in PARTS)


def test_an_average_post_is_its_starting_point_alone():
    model = shipped()
    totals = np.repeat(model.points(np.array([[model.bias]])), 1 + len(DEDUCTIONS), axis=0)
    [parts] = whole_parts(model.middle[None, :], totals, model)
    assert parts == {START.slug: round(float(totals[0, 0]))}


def test_the_parts_say_what_speaks_for_and_against_a_post():
    good, other = found(), found(title="Logo in PHP", description=LONG, skills=("Logo Design",))
    assert all(good.parts[name] > 0 for name in ("skills", "title", "description"))
    assert all(other.parts[name] < 0 for name in ("skills", "title", "other_work"))
    assert found(title="Help with Django homework").parts["objections"] < 0
    assert found(title="German Django course").parts["language"] < 0
    hourly = {"job_type": "hourly", "currency": "USD"}
    assert (
        found(hourly_max=Decimal(60), **hourly).parts["pay"]
        > found(hourly_max=Decimal(9), **hourly).parts["pay"]
    )


def test_what_is_set_by_hand_are_parts_of_their_own():
    taken = found(proposals=50, client_payment_verified=False).parts
    assert (taken["crowded"], taken["unverified"]) == (-3, -2)
    assert not {"crowded", "unverified", "kept_low"} & set(found().parts)
    survey = found(title="Survey for a Django and Python developer")
    assert (survey.score, survey.parts["kept_low"] < 0) == (LOW_MOST, True)


TEXT = st.lists(
    st.sampled_from("django python shop php logo survey german homework c++ size".split()),
    max_size=40,
).map(" ".join)
TAGS = TEXT.map(str.split).map(tuple)
postings = st.builds(
    Posting,
    id=st.just("upwork:1"),
    title=TEXT,
    description=TEXT,
    skills=TAGS,
    job_type=st.sampled_from([None, "hourly"]),
    hourly_max=st.sampled_from([None, Decimal(5), Decimal(90)]),
    currency=st.just("USD"),
    proposals=st.sampled_from([None, 0, 50]),
    client_payment_verified=st.sampled_from([None, True, False]),
)
searches = st.builds(
    SearchTerms,
    headline=TEXT,
    wants=TEXT,
    skills=TAGS,
    min_hourly=st.sampled_from([None, Decimal(30)]),
)


@settings(max_examples=60)
@given(searches, st.lists(postings, min_size=1, max_size=4))
def test_the_parts_add_up_to_the_score(search, posted):
    table = JobTable.of(posted, [NOW] * len(posted))
    for each in score([search], table, np.zeros(len(posted), int), np.arange(len(posted))):
        assert sum(each.parts.values()) == each.score
        assert 0 not in each.parts.values()
        assert list(each.parts) == [slug for slug in SLUGS if slug in each.parts]


values = st.floats(-3, 20).map(lambda value: round(value, 9))
rows_of_features = st.lists(
    st.lists(values, min_size=len(NAMES), max_size=len(NAMES)), min_size=1, max_size=5
).map(np.array)


@given(rows_of_features)
def test_each_part_has_the_sign_of_its_log_odds_and_whole_points_are_within_one(rows):
    model = shipped()
    modelled = model.points(model.log_odds(rows))
    exact = learned_points(rows, modelled, model)
    start = model.points(np.array([model.bias]))[0]
    assert exact.sum(axis=1) + start == pytest.approx(modelled, abs=1e-5)
    odds = (rows - model.middle) * model.weight
    for column, part in enumerate(LEARNED):
        own = odds[:, [NAMES.index(name) for name in part.features]].sum(axis=1)
        assert (exact[:, column] * own >= 0).all()
    whole = whole_parts(rows, np.stack([modelled] * (1 + len(DEDUCTIONS))), model)
    for pair, parts in enumerate(whole):
        told = np.array([parts.get(part.slug, 0) for part in LEARNED])
        assert (np.abs(told - exact[pair]) <= 1 + 1e-5).all()
        assert (told * exact[pair] >= -1e-5).all()


def test_nearly_average_posts_are_told_without_a_division_by_nothing():
    model = shipped()
    row = model.middle.copy()
    row[NAMES.index("title_likeness")] += 0.1  # as much for it as against it
    row[NAMES.index("no_text")] -= 0.1 * model.weight[0] / model.weight[NAMES.index("no_text")]
    exact = learned_points(row[None, :], model.points(model.log_odds(row[None, :])), model)[0]
    by_slug = dict(zip((part.slug for part in LEARNED), exact.tolist(), strict=True))
    assert by_slug["title"] == pytest.approx(-by_slug["says"])
    assert 1 < by_slug["title"] < 5


def test_stored_parts_come_in_order_and_unknown_ones_last():
    told = in_words({"older": 2, "title": -4, "start": 63})
    assert [(part.label, points) for part, points in told] == [
        ("Starting point", 63),
        ("Title and headline", -4),
        ("older", 2),
    ]

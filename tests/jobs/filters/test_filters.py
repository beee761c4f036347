import dataclasses
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.search_fields import FILTERS as FILTER_WORDS
from accounts.search_fields import too_open
from accounts.terms import SearchTerms
from accounts.vocabulary import DURATIONS, JOB_TYPES, LEVELS, STRICTABLE
from jobs.filters import FILTERS, compare, passing
from jobs.postings.posting import Posting
from jobs.rates import RateTable
from jobs.table import JobTable

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def post(**values: Any) -> Posting:
    return Posting(**{"id": "upwork:1", "title": "Fix a shop", **values})


def table_of(*posts: Posting, seen: datetime = NOW) -> JobTable:
    return JobTable.of(posts, [seen] * len(posts))


def passes(posting: Posting, **terms: Any) -> bool:
    return bool(passing([SearchTerms(**terms)], table_of(posting), NOW)[0, 0])


GERMAN = (
    "Wir suchen einen erfahrenen Entwickler, der unseren Laden im Netz pflegt und ausbaut."
    " Die Arbeit dauert einige Wochen und beginnt sofort."
)
HOURLY = {"job_type": "hourly", "currency": "USD"}
FIXED = {"job_type": "fixed", "currency": "USD"}
TINY = {
    **FIXED,
    "fixed_budget": Decimal(5),
    "description": "A shop with six pages, a blog, and a way to pay by card. " * 5,
}


@pytest.mark.parametrize(
    ("posting", "terms", "passed"),
    [
        ({}, {"headline": "Django"}, True),
        ({"job_type": "fixed"}, {"job_types": ("hourly",)}, False),
        ({"job_type": None}, {"job_types": ("hourly",)}, True),
        ({"fixed_budget": Decimal(9)}, {"job_types": ("hourly",)}, False),
        ({**HOURLY, "hourly_min": 10, "hourly_max": 40}, {"min_hourly": Decimal(35)}, True),
        ({**HOURLY, "hourly_min": 10, "hourly_max": 20}, {"min_hourly": Decimal(35)}, False),
        ({**HOURLY, "hourly_min": 40}, {"min_hourly": Decimal(35)}, True),
        ({**HOURLY, "hourly_min": 20}, {"min_hourly": Decimal(35)}, False),
        ({**HOURLY, "hourly_max": 30, "currency": "GBP"}, {"min_hourly": Decimal(35)}, True),
        ({**HOURLY, "hourly_max": 900, "currency": "INR"}, {"min_hourly": Decimal(35)}, False),
        ({**HOURLY, "hourly_max": 9, "currency": "XYZ"}, {"min_hourly": Decimal(35)}, True),
        (
            {**FIXED, "fixed_budget": 5},
            {"min_hourly": Decimal(35), "strict": ("min_hourly",)},
            True,
        ),
        ({**FIXED, "fixed_budget": 399}, {"min_fixed": Decimal(400)}, False),
        ({**FIXED, "fixed_budget": 400}, {"min_fixed": Decimal(400)}, True),
        ({**FIXED}, {"min_fixed": Decimal(400)}, True),
        ({**HOURLY, "hourly_max": 9}, {"min_fixed": Decimal(400)}, True),
        ({"experience_level": "entry"}, {"experience_levels": ("expert",)}, False),
        ({"duration": "month"}, {"durations": ("month", "ongoing")}, True),
        ({"client_country": "IN"}, {"countries_exclude": ("IN",)}, False),
        ({"client_country": "IN"}, {"countries_include": ("US", "CA")}, False),
        ({"client_country": "CA"}, {"countries_include": ("US", "CA")}, True),
        ({"client_payment_verified": False}, {"payment_verified_only": True}, False),
        ({"client_payment_verified": True}, {"payment_verified_only": True}, True),
        ({"client_spent": Decimal(99)}, {"min_client_spent": Decimal(100)}, False),
        ({"client_hires": 0}, {"min_client_hires": 1}, False),
        ({"client_hire_rate": Decimal(50)}, {"min_client_hire_rate": Decimal(50)}, True),
        ({"category": "legal"}, {"categories": ("legal", "writing")}, True),
        ({"category": "legal"}, {"categories": ("writing",)}, False),
        ({"worker_countries": ("US", "CA")}, {"my_country": "CA"}, True),
        ({"worker_countries": ("US", "CA")}, {"my_country": "DE"}, False),
        ({"description": "Must be based in Germany."}, {"my_country": "DE"}, True),
        ({"description": "Must be based in Germany."}, {"my_country": "FR"}, False),
        ({"description": "We are based in Canada."}, {"my_country": "FR"}, True),
        ({"language": "pt"}, {"languages": ("en", "pt")}, True),
        ({"language": "pt"}, {"languages": ("en",)}, False),
        ({"language": ""}, {"languages": ("en",)}, True),
        ({"language": "no"}, {"languages": ("nb",)}, True),
        ({"description": GERMAN}, {"languages": ("en",)}, False),
        ({"description": GERMAN}, {"languages": ("de",)}, True),
        ({**FIXED, "fixed_budget": Decimal(5)}, {"min_fixed": Decimal(400)}, False),
        ({**TINY, "fixed_budget": Decimal(5)}, {"min_fixed": Decimal(400)}, True),
        ({**TINY, "experience_level": "entry"}, {"min_fixed": Decimal(400)}, False),
        (
            {**TINY},
            {"min_fixed": Decimal(400), "strict": ("min_fixed",)},
            False,
        ),
        (
            {**TINY, "description": "We pay $5 per article. " * 20},
            {"min_fixed": Decimal(400)},
            False,
        ),
        ({"client_hires": 0}, {"min_client_hire_rate": Decimal(50)}, True),
        ({"client_rating": Decimal("4.4")}, {"min_client_rating": Decimal("4.5")}, False),
        ({"client_rating": Decimal(0)}, {"min_client_rating": Decimal("4.5")}, True),
        ({"proposals": 50}, {"max_proposals": 20}, False),
        ({"posted_at": NOW - timedelta(hours=5)}, {"posted_within_hours": 6}, True),
        ({"posted_at": NOW - timedelta(hours=7)}, {"posted_within_hours": 6}, False),
        ({"description": "in WordPress"}, {"words_none": ("wordpress",)}, False),
        ({"skills": ("WordPress",)}, {"words_none": ("wordpress",)}, False),
        ({"title": "JavaScript"}, {"words_none": ("java",)}, True),
        ({"title": "A", "skills": ("B",)}, {"words_all": ("a", "b")}, True),
        ({"title": "A", "skills": ("B",)}, {"words_all": ("a", "c")}, False),
        ({"title": "A"}, {"words_any": ("b", "a")}, True),
        ({"title": "A"}, {"words_any": ("b", "c")}, False),
        ({"title": "Django bug"}, {"skills": ("Django REST Framework",)}, True),
        ({"title": "Postgres tuning"}, {"skills": ("PostgreSQL",)}, True),
        ({"title": "Logo"}, {"skills": ("PostgreSQL",)}, False),
        ({"title": "Golang back end"}, {"skills": ("Go",)}, True),
        ({"title": "Go to the shop"}, {"skills": ("Golang",)}, False),
        ({"title": "Logo"}, {"skills": ("PostgreSQL",), "words_any": ("logo",)}, True),
    ],
)
def test_one_filter_at_a_time(posting, terms, passed):
    assert passes(post(**posting), **terms) == passed


ASKING: dict[str, Any] = {
    "job_types": ("hourly",),
    "min_hourly": Decimal(1),
    "min_fixed": Decimal(1),
    "experience_levels": ("entry",),
    "categories": ("legal",),
    "my_country": "DE",
    "languages": ("en",),
    "countries_include": ("US",),
    "countries_exclude": ("US",),
    "min_client_spent": Decimal(1),
    "min_client_hires": 1,
    "min_client_hire_rate": Decimal(1),
    "min_client_rating": Decimal(1),
    "payment_verified_only": True,
    "max_proposals": 1,
    "durations": ("week",),
    "posted_within_hours": 1,
}


@pytest.mark.parametrize("name", ASKING)
def test_not_stated_passes_unless_strict(name):
    asked = {name: ASKING[name]}
    assert passes(post(), **asked)
    assert not passes(post(), **asked, strict=(name,))


def test_every_filter_acts_and_has_its_words():
    assert set(ASKING) == set(STRICTABLE)
    assert sorted(each.name for each in FILTERS) == sorted(FILTER_WORDS)
    assert all(each.label == FILTER_WORDS[each.name].label for each in FILTERS)


def test_a_search_that_nobody_described_lets_nothing_through():
    assert not passes(post())
    assert not passes(post(), headline="Django", min_score=0)
    assert passes(post(), headline="Django")


def test_an_old_first_sight_counts_where_no_time_is_stated():
    table = table_of(post(), seen=NOW - timedelta(hours=3))
    assert not passing([SearchTerms(posted_within_hours=2)], table, NOW).any()


def test_the_sentence_holds_both_values():
    table = table_of(post(**HOURLY, hourly_max=20))
    (found,) = compare(SearchTerms(min_hourly=Decimal(35)), table, 0, NOW)
    assert (found.name, found.passed, found.stated) == ("min_hourly", False, True)
    assert found.sentence == "Your floor is $35/h; the post offers up to $20/h."


def test_a_search_by_words_alone_is_not_told_the_same_of_skills():
    found = compare(SearchTerms(words_any=("logo",)), table_of(post(title="A page")), 0, NOW)
    assert [(each.name, each.passed) for each in found] == [("words_any", False)]


def test_the_sentence_tells_why_the_unstated_is_dropped():
    search = SearchTerms(min_fixed=Decimal(35), strict=("min_fixed",))
    (found,) = compare(search, table_of(post(job_type="fixed")), 0, NOW)
    assert found.sentence.endswith("the post states no budget, and you drop what is not stated.")


@pytest.mark.parametrize(
    ("posting", "terms", "sentence"),
    [
        (
            {**FIXED, "currency": "EUR", "fixed_budget": Decimal(100)},
            {"min_fixed": Decimal(50)},
            "the post's budget is about $54 (converted from EUR at the rate of 2025-11-01).",
        ),
        (
            {**TINY, "fixed_budget": Decimal("5.00")},
            {"min_fixed": Decimal(50)},
            "the post's budget of $5 looks like a placeholder, so it counts as not stated.",
        ),
        (
            {"category": "legal"},
            {"categories": ("it_networking", "writing")},
            "You want IT & Networking or Writing; the post is in Legal.",
        ),
        (
            {"worker_countries": ("US", "CA")},
            {"my_country": "DE"},
            "You are in Germany; the post wants somebody in Canada, the United States.",
        ),
        (
            {"language": "pt"},
            {"languages": ("en", "de")},
            "You work in English, German; the post is written in Portuguese.",
        ),
        (
            FIXED,
            {"job_types": ("hourly",)},
            "You want jobs paid by the hour; this one is at a fixed price.",
        ),
        (
            {"duration": "ongoing"},
            {"durations": ("week", "month")},
            "run less than a week or less than a month; the post says more than 6 months.",
        ),
        (
            {"client_hires": 0},
            {"min_client_hire_rate": Decimal(50), "strict": ("min_client_hire_rate",)},
            "at least 50 %; this one is new and has none yet, and you drop what is not stated.",
        ),
        (
            {"client_rating": Decimal(4)},
            {"min_client_rating": Decimal("4.5")},
            "You want clients with at least 4.5 stars; this one has 4 stars.",
        ),
        (
            {"job_type": "fixed", "fixed_budget": Decimal(300)},
            {"min_fixed": Decimal(50)},
            "the post's budget is in a currency that we do not know.",
        ),
        ({"proposals": 5}, {"max_proposals": 1}, "You want at most 1 proposal; it has up to 5."),
        (
            {"client_rating": Decimal("0.5")},
            {"min_client_rating": Decimal(1)},
            "You want clients with at least 1 star; this one has 0.5 stars.",
        ),
        (
            {"posted_at": NOW - timedelta(minutes=61)},
            {"posted_within_hours": 1},
            "You want jobs of the last hour; it was posted 1 hour ago.",
        ),
        (
            {"posted_at": NOW + timedelta(hours=3)},
            {"posted_within_hours": 2},
            "You want jobs of the last 2 hours; it was posted less than an hour ago.",
        ),
    ],
)
def test_why_not_is_one_sentence(posting, terms, sentence):
    rates = RateTable.of({"USD": "1", "EUR": "0.54"}, date(2025, 11, 1))
    table = JobTable.of([post(**posting)], [NOW], rates)
    (found,) = compare(SearchTerms(**terms), table, 0, NOW)
    assert found.sentence.endswith(sentence)


def test_each_job_may_have_a_now_of_its_own():
    table = table_of(post(posted_at=NOW), post(posted_at=NOW))
    times = [NOW + timedelta(hours=hours) for hours in (1, 9)]
    answer = passing([SearchTerms(posted_within_hours=2)], table, times)
    assert answer.tolist() == [[True, False]]


def test_empty_blocks_have_their_shape():
    assert passing([], table_of(post()), NOW).shape == (0, 1)
    assert passing([SearchTerms(skills=("a",))], table_of(), NOW).shape == (1, 0)


WORDS = st.lists(st.sampled_from(["java", "c++", "logo", "django", "sql"]), max_size=2).map(tuple)
MONEY = st.none() | st.integers(1, 60).map(Decimal)
COUNTRY = st.sampled_from(["US", "IN", "DE"])
CATEGORY = st.sampled_from(["legal", "writing"])

postings = st.builds(
    Posting,
    id=st.just("upwork:1"),
    title=WORDS.map(" and ".join),
    description=WORDS.map(" ".join),
    skills=WORDS,
    job_type=st.none() | st.sampled_from(JOB_TYPES),
    hourly_min=MONEY,
    hourly_max=MONEY,
    fixed_budget=MONEY,
    currency=st.sampled_from([None, "USD", "EUR", "XYZ"]),
    experience_level=st.none() | st.sampled_from(LEVELS),
    duration=st.none() | st.sampled_from(DURATIONS),
    client_country=st.none() | COUNTRY,
    client_spent=MONEY,
    client_hires=st.none() | st.integers(0, 3),
    client_payment_verified=st.none() | st.booleans(),
    client_rating=st.none() | st.integers(0, 5).map(Decimal),
    client_hire_rate=MONEY,
    proposals=st.none() | st.integers(0, 60),
    category=st.none() | CATEGORY,
    worker_countries=st.lists(COUNTRY, unique=True, max_size=2).map(tuple),
    language=st.none() | st.sampled_from(["", "en", "pt"]),
    posted_at=st.none() | st.integers(0, 9).map(lambda hours: NOW - timedelta(hours=hours)),
)
searches = st.builds(
    SearchTerms,
    skills=WORDS,
    words_any=WORDS,
    words_all=WORDS,
    words_none=WORDS,
    job_types=st.lists(st.sampled_from(JOB_TYPES), unique=True).map(tuple),
    min_hourly=MONEY,
    min_fixed=MONEY,
    experience_levels=st.lists(st.sampled_from(LEVELS)).map(tuple),
    categories=st.lists(CATEGORY, max_size=2).map(tuple),
    countries_include=st.lists(COUNTRY, max_size=2).map(tuple),
    countries_exclude=st.lists(COUNTRY, max_size=1).map(tuple),
    my_country=COUNTRY | st.just(""),
    languages=st.lists(st.sampled_from(["en", "pt"]), max_size=1).map(tuple),
    min_client_hires=st.none() | st.integers(0, 3),
    min_client_hire_rate=MONEY,
    min_client_rating=st.none() | st.integers(0, 5).map(Decimal),
    payment_verified_only=st.booleans(),
    min_client_spent=MONEY,
    max_proposals=st.none() | st.integers(0, 60),
    posted_within_hours=st.none() | st.integers(1, 9),
    strict=st.lists(st.sampled_from(STRICTABLE), max_size=3).map(tuple),
)


@given(st.lists(searches, max_size=3), st.lists(postings, max_size=4))
def test_block_and_pair_agree(wanted, posted):
    table = table_of(*posted)
    block = passing(wanted, table, NOW)
    for s, search in enumerate(wanted):
        narrow = too_open(search) is None
        for j in range(len(table)):
            found = compare(search, table, j, NOW)
            assert (narrow and all(each.passed for each in found)) == block[s, j]
            assert {each.name for each in found} <= set(FILTER_WORDS)


@given(searches)
def test_what_is_not_stated_passes_unless_strict(search):
    """Words apart, which a post names or does not."""
    plain = dict.fromkeys(("skills", "words_any", "words_all", "words_none"), ())
    asked = dataclasses.replace(search, headline="Django", **plain)
    lenient = dataclasses.replace(asked, strict=())
    assert passes(post(), **dataclasses.asdict(lenient))
    for found in compare(asked, table_of(post()), 0, NOW):
        assert found.passed == (found.name not in asked.strict)


@given(searches, st.lists(postings, min_size=1, max_size=4))
def test_another_strict_field_never_lets_more_through(search, posted):
    table = table_of(*posted)
    stricter = dataclasses.replace(search, strict=STRICTABLE)
    assert np.all(passing([stricter], table, NOW) <= passing([search], table, NOW))

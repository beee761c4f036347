"""Raw rows to postings."""

import gzip
import json
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.field_words import FIELDS
from jobs.postings.normalise import Rejection, normalise
from jobs.postings.posting import Posting
from jobs.postings.posting_json import KEYS, as_json

NOW = datetime(2030, 1, 31, 12, tzinfo=UTC)


def posting(**row):
    found = normalise({"title": "Build a shed", **row}, NOW)
    assert isinstance(found, Posting)
    return found


def facts(*names, **row):
    found = posting(**row)
    return tuple(getattr(found, name) for name in names)


PAY = ("job_type", "hourly_min", "hourly_max", "fixed_budget", "currency")


@pytest.mark.parametrize(
    ("row", "pay"),
    [
        ({}, (None, None, None, None, None)),
        ({"currency": "USD", "hourly_min": 0, "fixed_budget": "0"}, (None, None, None, None, None)),
        ({"budget": "$1,500.00"}, ("fixed", None, None, 1500, "USD")),
        ({"budget": "Hourly: $10-$20"}, ("hourly", 10, 20, None, "USD")),
        ({"Job Type": "Hourly: $7.00 - $10.00 "}, ("hourly", 7, 10, None, "USD")),
        ({"hourlyRate": "$3-$8"}, ("hourly", 3, 8, None, "USD")),
        ({"hourlyRate": "$15/hr"}, ("hourly", 15, None, None, "USD")),
        ({"hourly_rate": "9.9-9.9/h"}, ("hourly", Decimal("9.9"), Decimal("9.9"), None, None)),
        (
            {"hourlyBudgetMin": "30.0", "id": "~021990000000000000123"},
            ("hourly", 30, None, None, "USD"),
        ),
        ({"hourlyBudget": {"min": 0, "max": 8}, "type": 2}, ("hourly", None, 8, None, None)),
        ({"type": 1, "amount": {"amount": 5}}, ("fixed", None, None, 5, None)),
        (
            {"jobType": "HOURLY", "fixedPriceAmount": 5, "amount": 0},
            ("hourly", None, None, None, None),
        ),
        ({"Budget": "₹500,000 – 1,000,000 INR"}, ("fixed", None, None, 1_000_000, "INR")),
        ({"orcamento": "USD 1.000 - 3.000"}, ("fixed", None, None, 3000, "USD")),
        ({"orcamento": "Less than USD 15 / hour"}, ("hourly", None, 15, None, "USD")),
        ({"orcamento": "Over USD 45 / hour"}, ("hourly", 45, None, None, "USD")),
        ({"budget": "$15 CAD"}, ("fixed", None, None, 15, "CAD")),
        ({"fixed_price": "['$50.00']", "min_budget": "$9"}, ("fixed", None, None, 50, "USD")),
        (
            {"budget": {"rawValue": "72.1", "currency": "EUR"}},
            ("fixed", None, None, Decimal("72.1"), "EUR"),
        ),
        ({"budget": "$523\n  (Avg Bid)"}, (None, None, None, None, None)),
        ({"budget": "within 3 months"}, (None, None, None, None, None)),
        ({"budget": "-5"}, (None, None, None, None, None)),
        ({"budget": float("inf"), "fixed_budget": 10**400}, (None, None, None, None, None)),
        ({"budget": True, "fixed_budget": "N/A"}, (None, None, None, None, None)),
    ],
)
def test_pay(row, pay):
    assert facts(*PAY, **row) == pay


@pytest.mark.parametrize(
    ("raw", "duration"),
    [
        ("1 to 3 months, Less than 30 hrs/week", "quarter"),
        ("Less than 1 month, Less than 10 hrs/week", "month"),
        ("Less than 1 week", "week"),
        ("More than 3 months, 10-30 hrs/week", "semester"),
        ("3-6 months", "semester"),
        ("6+ months", "ongoing"),
        ("30 يوما", "month"),
        ("2 يومين", "week"),
        ("180 يوما", "semester"),
        ("ONGOING", "ongoing"),
        ({"label": "3 to 6 months", "weeks": 18}, "semester"),
        ("One-time project", None),
        ("Less than 30 hrs/week", None),
        (7, None),
    ],
)
def test_duration(raw, duration):
    assert facts("duration", duration=raw) == (duration,)


@pytest.mark.parametrize(
    ("raw", "ago"),
    [
        ("Posted 6 minutes ago", timedelta(minutes=6)),
        ("yesterday", timedelta(days=1)),
        ("Posted 2 weeks ago", timedelta(weeks=2)),
        ("last month", timedelta(days=30)),
        ("3 quarters ago", timedelta(days=273)),
        ("Hace 4 horas", timedelta(hours=4)),
        ("an hour ago", timedelta(hours=1)),
        ("Posted just now", timedelta(0)),
    ],
)
def test_times_relative_to_the_fetch(raw, ago):
    assert facts("posted_at", posted=raw) == (NOW - ago,)


def test_a_time_reckoned_from_the_fetch_is_marked_as_an_estimate():
    assert posting(posted="2 hours ago").posted_at_estimated
    assert not posting(posted="2024-06-06").posted_at_estimated


@pytest.mark.parametrize(
    "raw",
    [
        "2024-06-06T04:55:00Z",
        "2024-06-06T06:55:00+02:00",
        "2024-06-06T04:55:00+0000",
        "2024-06-06 04:55:00",
        "6/6/2024 4:55am",
        "June 06, 2024 04:55 UTC",
        "Thu, 06 Jun 2024 04:55:00 +0000",
        1717649700,
        1717649700000,
        "1717649700000",
    ],
)
def test_times_that_stand_for_themselves(raw):
    assert facts("posted_at", publishTime=raw) == (datetime(2024, 6, 6, 4, 55, tzinfo=UTC),)


@pytest.mark.parametrize(
    "raw", ["6 días left", "soon", "", 0, -1, 10**400, "1601-01-01", "9999-12-31", True, "99", {}]
)
def test_no_time_is_invented(raw):
    assert facts("posted_at", posted_at=raw) == (None,)


def test_an_absolute_time_wins_over_a_relative_one():
    row = {"publishedDate": "Posted 6 minutes ago", "normalizedDate": "2024-06-06T04:55:00Z"}
    assert facts("posted_at", **row) == (datetime(2024, 6, 6, 4, 55, tzinfo=UTC),)


def test_the_client():
    client = {
        "totalHires": 2,
        "totalPostedJobs": 5,
        "totalSpent": {"rawValue": "72.11", "currency": "USD"},
        "verificationStatus": "NOT_VERIFIED",
        "totalFeedback": 0,
        "location": {"country": "GBR"},
    }
    names = ("client_hires", "client_hire_rate", "client_spent", "client_payment_verified")
    assert facts(*names, client=client) == (2, 40, Decimal("72.11"), False)
    assert facts("client_rating", "client_country", client=client) == (None, "GB")


@pytest.mark.parametrize(
    ("row", "rate"),
    [
        ({"client_hire_rate": "85%"}, 85),
        ({"client_hire_rate": 250}, 100),
        ({"hireRate": 0.85}, 85),
        ({"client_hires": 9, "jobs_posted": 3}, 100),
        ({"client_hires": 0, "jobs_posted": 0, "client_hire_rate": 0}, None),
        ({"client_hire_rate": float("nan")}, None),
    ],
)
def test_hire_rate(row, rate):
    assert facts("client_hire_rate", **row) == (rate,)


@pytest.mark.parametrize(
    ("raw", "proposals"),
    [
        ("10 to 15", 15),
        ("Less than 5", 4),
        ("50+", 50),
        ("tier_4.lessThan5", 4),
        (7, 7),
        (-1, None),
    ],
)
def test_proposals(raw, proposals):
    assert facts("proposals", proposals=raw) == (proposals,)


@pytest.mark.parametrize(
    ("raw", "level"),
    [("jsn_Expert_207", "expert"), ("EntryLevel", "entry"), (2, "intermediate"), ("any", None)],
)
def test_levels(raw, level):
    assert facts("experience_level", tier=raw) == (level,)


@pytest.mark.parametrize(
    "raw",
    [
        ["Go", "go", {"prettyName": "SQL"}, None, 7],
        "Go,    SQL",
        "['Go', 'SQL', '+3']",
        [{"name": "go", "prettyName": "Go"}, {"skill": "SQL"}],
    ],
)
def test_skills(raw):
    assert facts("skills", skills=raw) == (("Go", "SQL"),)


def test_texts_that_say_nothing_say_nothing():
    assert facts("client_spent", "description", spent="N/A", description="nan") == (None, "")
    assert facts("client_spent", total_spent="$70k+ spent") == (70_000,)


@pytest.mark.parametrize(
    "raw",
    [
        None,
        1,
        "x",
        [],
        {},
        {"title": ""},
        {"title": " \u200b"},
        {"title": 7},
        {1: 2},
        {"title": "N/A"},
    ],
)
def test_a_row_without_a_title_is_rejected(raw):
    assert isinstance(normalise(raw, NOW), Rejection)


def test_a_rejected_row_stays_rejected():
    rejected = Rejection("broken JSON", "line 3")
    assert normalise(rejected, NOW) is rejected


def test_an_id_from_the_content_is_the_same_when_seen_again():
    first, again = (
        posting(proposals=3, posted="1 hour ago"),
        posting(proposals=9, posted="2 days ago"),
    )
    assert first.id == again.id != posting(description="Two doors").id
    assert first.id.startswith("import:")


def test_a_feeds_suffix_is_no_part_of_the_title():
    assert facts("title", title="Shed - Upwork", id="~021990000000000000123") == ("Shed",)


def test_json_keys_have_one_order_and_time_one_form():
    row = as_json(posting(posted_at="2024-06-06T06:55:00+02:00", budget="$5"))
    assert tuple(row) == KEYS
    assert (row["posted_at"], row["fixed_budget"]) == ("2024-06-06T04:55:00Z", 5.0)


ODD = """$3-$8/hr|1,5|10k+|3 months|&amp;amp;|&lt;b&gt;|<b>x|Expert|hourly|Less than 5|2024-06-06|
1 day ago|NA|IND|5%|~021990000000000000123|https://www.workana.com/job/x?y|x - Upwork|N/A - Upwork|
&#78;/A|['a']|€"""
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(ODD.replace("\n", "").split("|")),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [" ".join(core) for field in FIELDS.values() for core in field.cores] + list(KEYS)
)
ROWS = st.one_of(
    VALUES,
    st.dictionaries(st.one_of(NAMES, st.integers(), st.text(max_size=5)), VALUES, max_size=12).map(
        lambda row: {"title": "Shed", **row}
    ),
    st.fixed_dictionaries(dict.fromkeys(KEYS, SCALARS)),
)


@given(ROWS)
def test_every_value_has_an_answer_and_its_json_gives_it_again(raw):
    found = normalise(raw, NOW)
    if isinstance(found, Posting):
        written = as_json(found)
        json.dumps(written, allow_nan=False)
        assert normalise(written, NOW) == found
        assert "_" not in found.id
        assert found.title


@given(
    st.dictionaries(NAMES, st.text(alphabet=st.characters(exclude_categories=["N"])), max_size=9)
)
def test_without_a_digit_there_is_no_money_and_no_date(row):
    found = normalise({**row, "title": "Shed", "posted_at": None}, NOW)
    assert isinstance(found, Posting)
    money = found.hourly_min, found.hourly_max, found.fixed_budget, found.client_spent
    assert money == (None,) * 4
    assert found.currency is None


def test_a_row_nested_without_end_is_answered():
    deep: object = "x"
    for _ in range(5000):
        deep = {"client": deep, "list": [deep]}
    assert posting(client=deep, duration={"weeks": deep}, tags=deep).title == "Build a shed"
    assert posting(duration={"weeks": 10**5000}, hires=10**5000, id=10**5000).client_hires is None


def test_the_public_posts_are_all_kept_fast_and_each_its_own(cases):
    with gzip.open(cases / "jobs.jsonl.gz") as file:
        rows = [json.loads(line) for line in file]
    started = time.perf_counter()
    found = [normalise(row, NOW) for row in rows]
    seconds = time.perf_counter() - started
    assert all(isinstance(one, Posting) for one in found)
    assert len({one.id for one in found}) == len({row["id"] for row in rows})
    assert [normalise(as_json(one), NOW) for one in found] == found
    unknown = {
        r["client_country"] for r, p in zip(rows, found, strict=True) if not p.client_country
    }
    assert unknown == {None, "STUB"}
    assert seconds < 15  # about 0.7 on one core


def test_an_unknown_currency_is_never_taken_for_dollars():
    posting = normalise(
        {"id": "1990000000000000001", "title": "A shop", "budget": 100, "currency": "XYZ"}, NOW
    )
    assert (posting.fixed_budget, posting.currency) == (100, None)

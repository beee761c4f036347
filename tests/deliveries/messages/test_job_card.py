from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from deliveries.messages.job_card import (
    JobCard,
    client_line,
    country_name,
    local_time,
    pay_line,
    pay_short,
    posted_line,
    work_line,
)


def card(**stated) -> JobCard:
    values: dict[str, Any] = {
        name: Decimal(value) if isinstance(value, str) and value[:1].isdigit() else value
        for name, value in stated.items()
    }
    return JobCard(job_id="upwork:1", title="A job", score=90, **values)


@pytest.mark.parametrize(
    ("stated", "line", "short"),
    [
        ({}, "pay not stated", ""),
        ({"job_type": "hourly"}, "hourly, pay not stated", ""),
        ({"job_type": "fixed"}, "fixed price, pay not stated", ""),
        ({"hourly_min": "35", "hourly_max": "60.00"}, "35–60 an hour", "35–60/h"),
        (
            {"hourly_min": "35", "hourly_max": "60", "currency": "USD"},
            "$35–60 an hour",
            "$35–60/h",
        ),
        ({"hourly_min": "60", "hourly_max": "60", "currency": "EUR"}, "€60 an hour", "€60/h"),
        ({"hourly_min": "60", "hourly_max": "35", "currency": "USD"}, "$35–60 an hour", "$35–60/h"),
        ({"hourly_min": "7.5", "currency": "GBP"}, "from £7.50 an hour", "from £7.50/h"),
        ({"hourly_max": "60", "currency": "USD"}, "up to $60 an hour", "up to $60/h"),
        ({"fixed_budget": "1500", "currency": "USD"}, "$1,500 fixed", "$1,500 fixed"),
        ({"fixed_budget": "0.5", "currency": "CHF"}, "CHF\xa00.50 fixed", "CHF\xa00.50 fixed"),
        ({"fixed_budget": "500000", "currency": "INR"}, "₹500,000 fixed", "₹500,000 fixed"),
        ({"fixed_budget": "12500000", "currency": "CAD"}, "CA$12M fixed", "CA$12M fixed"),
        (
            {"job_type": "fixed", "hourly_min": "5", "fixed_budget": "90", "currency": "USD"},
            "$90 fixed",
            "$90 fixed",
        ),
        (
            {"job_type": "hourly", "hourly_min": "5", "fixed_budget": "90", "currency": "USD"},
            "from $5 an hour",
            "from $5/h",
        ),
    ],
)
def test_pay(stated, line, short):
    assert (pay_line(card(**stated)), pay_short(card(**stated))) == (line, short)


@pytest.mark.parametrize(
    ("stated", "line"),
    [
        ({}, ""),
        (
            {
                "client_country": "DE",
                "client_spent": "12340",
                "client_hires": 14,
                "client_hire_rate": "82",
                "client_rating": "4.93",
                "client_payment_verified": True,
            },
            "Germany · $12k spent · 14 hires (82\xa0%) · ★\xa04.9 · payment verified",
        ),
        ({"client_country": "XQ", "client_payment_verified": False}, "payment not verified"),
        ({"client_hires": 1}, "1 hire"),
        ({"client_hires": 0, "client_hire_rate": None}, "no hires yet"),
        ({"client_hire_rate": "50"}, "50\xa0% hire rate"),
        ({"client_rating": "0"}, ""),
    ],
)
def test_client(stated, line):
    assert client_line(card(**stated)) == line


@pytest.mark.parametrize(
    ("spent", "words"),
    [
        ("0", "$0"),
        ("949.6", "$950"),
        ("999.9", "$1k"),
        ("1000", "$1k"),
        ("1349", "$1.3k"),
        ("9960", "$10k"),
        ("70000", "$70k"),
        ("999960", "$1M"),
        ("1250000", "$1.2M"),
        ("3000000000", "$3B"),
    ],
)
def test_money_spent(spent, words):
    assert client_line(card(client_spent=spent)) == f"{words} spent"


def test_work():
    assert work_line(card(experience_level="expert", duration="quarter")) == (
        "expert · 1 to 3 months"
    )
    assert work_line(card(duration="ongoing")) == "more than 6 months"
    assert work_line(card()) == ""


def test_time_is_on_the_readers_clock():
    moment = datetime(2026, 11, 26, 23, 5, tzinfo=UTC)
    assert local_time(moment, "UTC") == "Thu 26 Nov, 23:05"
    assert local_time(moment, "Asia/Kolkata") == "Fri 27 Nov, 04:35"


@pytest.mark.parametrize(
    ("proposals", "line"),
    [
        (None, ""),
        (0, "No proposals yet"),
        (1, "1 proposal"),
        (4, "Up to 4 proposals"),
        (50, "50+ proposals"),
    ],
)
def test_proposals(proposals, line):
    assert posted_line(card(proposals=proposals), "UTC") == line


def test_posted_and_proposals():
    posted = card(posted_at=datetime(2026, 11, 26, 13, 5, tzinfo=UTC), proposals=15)
    assert posted_line(posted, "Europe/Berlin") == "Posted Thu 26 Nov, 14:05 · up to 15 proposals"


def test_country_name():
    assert [country_name(code) for code in ("US", "", None, "zz")] == ["United States", "", "", ""]

"""Single texts as many hands write them, and what each says."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from jobs.postings.agos import relative
from jobs.postings.client_lines import of_client_line
from jobs.postings.clients import country
from jobs.postings.durations import duration
from jobs.postings.money import money
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.postings.wording import job_type, level, percent, proposals, truth

FETCHED = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "low", "high", "currency"),
    [
        ("$500-1k", 500, 1000, "USD"),
        ("$1-5K", 1000, 5000, "USD"),
        ("30 000 Kč", 30000, 30000, "CZK"),
        ("Rp5.000.000 - Rp10.000.000", 5_000_000, 10_000_000, "IDR"),
        ("RM500", 500, 500, "MYR"),
        ("до 5000 ₽", None, 5000, "RUB"),
        ("от 5 000 до 10 000 руб.", 5000, 10000, "RUB"),
        ("5,000-10,000元", 5000, 10000, "CNY"),
        ("1.000 - 2.500 TL", 1000, 2500, "TRY"),
        ("500 USD/month", None, None, None),
        ("450 €/jour", None, None, None),
        ("$155Avg Bid", None, None, None),
    ],
)
def test_money(text, low, high, currency):
    found = money(text)
    assert (found.low, found.high, found.currency) == (low, high, currency)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("منذ ساعتين", 2),
        ("منذ يومين", 48),
        ("2 saat önce", 2),
        ("3 giorni fa", 72),
        ("3小时前", 3),
        ("2日前", 48),
        ("2 години тому", 2),
        ("3 dagen geleden", 72),
    ],
)
def test_agos(text, hours):
    assert (FETCHED - relative(text, FETCHED)).total_seconds() == hours * 3600


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (duration, "MORE_THAN_SIX_MONTHS", "ongoing"),
        (duration, "lessThanOneMonth", "month"),
        (duration, "half a year", "semester"),
        (duration, "27 hours ago", None),
        (duration, "شهرين", "quarter"),
        (proposals, "fiveToTen", 10),
        (proposals, "fiftyPlus", 50),
        (proposals, "Меньше 5", 4),
        (truth, "Pago no verificado", False),
        (truth, "Zahlung bestätigt", True),
        (truth, "Payment verification pending", None),
        (job_type, "Por horas", "hourly"),
        (job_type, "Per project", "fixed"),
        (level, "Новичок", "entry"),
        (level, "zaawansowany", "expert"),
        (percent, "0.6667", Decimal("66.67")),
        (percent, "85 %", 85),
        (country, "🇩🇪 Germany", "DE"),
        (country, "Berlin (Germany)", "DE"),
        (country, "Austin, TX", "US"),
        (country, "San Francisco, CA", None),
        (country, "السعودية", "SA"),
        (country, "USA only", None),
    ],
)
def test_words(read, text, said):
    assert read(text) == said


@pytest.mark.parametrize("text", ["Georgia", "Acme, Jordan", "", "x" * 999, None, 5, ["a"]])
def test_a_client_without_facts_is_a_name(text):
    assert of_client_line(text) == {}


@pytest.mark.parametrize(
    "row",
    [
        {"error": "Too many requests", "code": 429, "url": "https://x.example/a"},
        {"Note": "Heading of something", "budget": 5},
        {"status": "open", "budget": "$5", "skills": "PHP", "description": "x", "foo": "Germany"},
    ],
)
def test_what_is_no_job_gets_no_title(row):
    assert not isinstance(normalise(row, FETCHED), Posting)


def test_a_row_of_facts_is_titled_by_its_first_heading():
    row = {"Rubrum": "Neue Webseite", "Budget": "500 €", "Skills": "PHP", "Beschreibung": "x"}
    found = normalise(row, FETCHED)
    assert isinstance(found, Posting)
    assert found.title == "Neue Webseite"

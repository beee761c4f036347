"""Newer rates over real HTTP on loopback and from files; a bad table leaves the old one."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from accounts.terms import SearchTerms
from jobs.ecb import RatesError
from jobs.exchange import current_rates, refresh
from jobs.filters import compare
from jobs.models import ExchangeRates, Job
from jobs.rates import shipped
from jobs.verdicts import table_of
from jobs.web.asking import Rules
from tests.factories import JobFactory
from tests.jobs.test_ecb import xml

pytestmark = pytest.mark.django_db

HERE = Rules(allow_http=True, allow_private=True, seconds=5, most=1024 * 1024)
EURO = shipped().rates["EUR"]
NEXT = EURO.on + timedelta(days=3)
NOW = datetime.combine(NEXT, datetime.min.time(), UTC)


def body(on: date = NEXT, euro: Decimal = EURO.usd, **rates: str) -> bytes:
    return xml(on.isoformat(), USD=str(euro), **rates)


def test_without_any_fetch_the_shipped_rates_hold():
    assert current_rates() == shipped()


def test_newer_rates_are_taken_over_http(httpserver):
    httpserver.expect_request("/rates.xml").respond_with_data(body(), content_type="text/xml")
    day = refresh(httpserver.url_for("/rates.xml"), now=NOW, rules=HERE)
    assert day.on == NEXT == current_rates().rates["EUR"].on
    assert current_rates().rates["PKR"] == shipped().rates["PKR"]
    row = ExchangeRates.objects.get()
    assert (row.day, row.usd["USD"], row.fetched_at) == (NEXT, "1", NOW)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (body(EURO.on), "already"),
        (body(euro=EURO.usd * 2), "a change of over 30 %"),
        (b"", "not XML"),
        (xml(NEXT.isoformat(), GBP="0.9"), "does not state the dollar"),
        (body(NEXT + timedelta(days=30)), "It is dated"),
    ],
)
def test_a_bad_table_is_refused_and_the_old_one_stays(tmp_path, raw, reason):
    (tmp_path / "rates.xml").write_bytes(raw)
    with pytest.raises(RatesError, match=reason):
        refresh(str(tmp_path / "rates.xml"), now=NOW, rules=HERE)
    assert current_rates() == shipped()
    assert not ExchangeRates.objects.exists()


def test_what_cannot_be_had_is_refused(tmp_path, httpserver):
    httpserver.expect_request("/rates.xml").respond_with_data(body(), 503)
    private = Rules(allow_http=True, seconds=5)
    (tmp_path / "long").write_bytes(b" " * (1024 * 1024 + 1))
    for place, rules, reason in (
        (httpserver.url_for("/rates.xml"), HERE, "status is 503"),
        (httpserver.url_for("/rates.xml"), private, "private address"),
        (str(tmp_path / "none.xml"), HERE, "cannot be read"),
        (str(tmp_path / "long"), HERE, "larger than 1 MiB"),
    ):
        with pytest.raises(RatesError, match=reason):
            refresh(place, now=NOW, rules=rules)


def test_the_newest_day_counts_whatever_came_last(tmp_path):
    for days, euro in ((9, "1.01"), (3, "1.02")):
        ExchangeRates.objects.create(
            day=EURO.on + timedelta(days=days),
            usd={"USD": "1", "EUR": euro},
            source="a test",
            fetched_at=NOW,
        )
    assert current_rates().rates["EUR"].usd == Decimal("1.01")
    (tmp_path / "rates.xml").write_bytes(body(NEXT))
    with pytest.raises(RatesError, match="already"):
        refresh(str(tmp_path / "rates.xml"), now=NOW, rules=HERE)


def test_the_command_says_what_it_did(tmp_path, settings, capsys):
    settings.SCOUT_RATES_URL = str(tmp_path / "rates.xml")
    with pytest.raises(CommandError, match="The rates in use stay: It cannot be read"):
        call_command("refresh_rates")
    today = datetime.now(UTC).date()
    (tmp_path / "rates.xml").write_bytes(body(max(today, NEXT)))
    call_command("refresh_rates")
    assert "2 currencies" in capsys.readouterr().err


def test_the_sentence_names_the_day_of_the_rate_in_use():
    ExchangeRates.objects.create(
        day=NEXT, usd={"USD": "1", "EUR": "1.2"}, source="a test", fetched_at=NOW
    )
    JobFactory(job_type="fixed", hourly_min=None, hourly_max=None, fixed_budget=50, currency="EUR")
    table = table_of(Job.objects.all()).table
    (found,) = compare(SearchTerms(min_fixed=Decimal(10)), table, 0, NOW)
    assert found.found == (
        f"the post's budget is about $60 (converted from EUR at the rate of {NEXT})"
    )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("exchange_rates_state_the_dollar", {"usd": {"EUR": "1.1"}}),
        ("exchange_rates_name_their_source", {"source": ""}),
    ],
)
def test_the_database_refuses_half_a_table(name, values):
    whole = {"day": NEXT, "usd": {"USD": "1"}, "source": "a test", "fetched_at": NOW}
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        ExchangeRates.objects.create(**{**whole, **values})

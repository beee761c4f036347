from datetime import date
from decimal import Decimal

import pytest

from jobs.rates import Rate, RateTable, shipped, usd

MAY, JUNE = date(2026, 5, 1), date(2026, 6, 1)
WANTED = (
    "USD INR EUR GBP AUD CAD SGD NZD PKR PHP BRL MXN AED SAR EGP ILS ZAR PLN SEK NOK DKK CHF JPY "
    "CNY KRW TRY UAH NGN KES IDR VND THB MYR HKD HUF CZK RON BGN COP ARS CLP BDT LKR"
).split()


@pytest.mark.parametrize(
    ("amount", "written"), [(35, "$35"), (7.5, "$7.50"), (1500, "$1,500"), (11.104, "$11.10")]
)
def test_dollars_are_written_as_people_do(amount, written):
    assert usd(amount) == written


@pytest.mark.parametrize("code", WANTED)
def test_a_dated_table_is_shipped(code):
    rate = shipped().get(code)
    assert rate is not None
    assert Decimal(0) < rate.usd < 10
    assert date(2025, 1, 1) <= rate.on


def test_the_dollar_is_one_and_others_are_in_proportion():
    rates = shipped().rates
    assert rates["USD"].usd == 1
    assert rates["JPY"].usd < rates["INR"].usd < rates["EUR"].usd < rates["GBP"].usd


def test_the_newer_day_counts_for_each_currency():
    old = RateTable.of({"USD": "1", "EUR": "1.1", "INR": "0.01"}, JUNE)
    new = RateTable.of({"EUR": "1.2", "PKR": "0.004"}, MAY)
    for table in (old.with_newer(new), new.with_newer(old)):
        assert table.get("EUR") == Rate(Decimal("1.1"), JUNE)
        assert table.get("PKR") == Rate(Decimal("0.004"), MAY)
    assert old.get(None) is None
    assert old.get("XYZ") is None

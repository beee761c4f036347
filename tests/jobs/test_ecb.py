from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.ecb import RatesError, check_plausible, read_ecb
from jobs.rates import RateTable

TODAY = date(2026, 11, 29)


def xml(day="2026-11-27", **rates: str) -> bytes:
    cubes = "".join(f"<Cube currency='{code}' rate='{rate}'/>" for code, rate in rates.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope'
        ' xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"'
        ' xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">'
        f"<gesmes:subject>Reference rates</gesmes:subject><Cube><Cube time='{day}'>{cubes}"
        "</Cube></Cube></gesmes:Envelope>"
    ).encode()


def test_units_for_a_euro_become_dollars_for_a_unit():
    day = read_ecb(xml(USD="1.10", INR="110", GBP="0.88"))
    assert day.on == date(2026, 11, 27)
    assert day.usd == {
        "USD": Decimal(1),
        "EUR": Decimal("1.10"),
        "INR": Decimal("0.01"),
        "GBP": Decimal("1.25"),
    }


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not XML"),
        (b"<html><body>Bot wall</body>", "not XML"),
        (b"<html/>", "of 0 days"),
        (xml(), "no rates"),
        (xml(INR="100"), "does not state the dollar"),
        (xml(USD="0"), "no sensible number: '0'"),
        (xml(USD="NaN"), "no sensible number"),
        (xml(USD="many"), "no sensible number"),
        (xml(USD="1.10", usd="1.10"), "no sensible code: 'usd'"),
        (xml(day="yesterday", USD="1"), "no date"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "entities"),
    ],
)
def test_what_is_no_such_table_is_refused(body, reason):
    with pytest.raises(RatesError, match=reason):
        read_ecb(body)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body):
    with pytest.raises(RatesError):
        read_ecb(body)


NOW = RateTable.of({"USD": "1", "EUR": "1.10", "INR": "0.01"}, date(2026, 11, 20))


@pytest.mark.parametrize(
    ("day", "rates", "reason"),
    [
        ("2026-11-27", {"USD": "1.10", "INR": "110"}, None),
        ("2026-11-27", {"USD": "1.10", "INR": "150"}, None),
        ("2026-11-27", {"USD": "1.10", "INR": "170"}, "one INR"),
        ("2026-11-27", {"USD": "0.5", "INR": "50"}, "one EUR"),
        ("2026-11-27", {"USD": "1.10", "XYZ": "5"}, None),
        ("2026-11-20", {"USD": "1.10"}, "already"),
        ("2026-11-01", {"USD": "1.10"}, "already"),
        ("2026-12-09", {"USD": "1.10"}, "dated 2026-12-09"),
    ],
)
def test_what_is_not_plausible_is_refused(day, rates, reason):
    found = read_ecb(xml(day, **rates))
    if reason is None:
        check_plausible(found, NOW, today=TODAY)
    else:
        with pytest.raises(RatesError, match=reason):
            check_plausible(found, NOW, today=TODAY)

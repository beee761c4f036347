from decimal import Decimal

import pytest

from jobs.rates import in_usd, usd


@pytest.mark.parametrize(
    ("amount", "currency", "dollars"),
    [
        ("35", "USD", "35"),
        ("0", "USD", "0"),
        ("1000", "INR", "11.1000"),
        ("10", "XYZ", None),
        ("10", None, None),
        (None, "USD", None),
    ],
)
def test_money_in_dollars(amount, currency, dollars):
    stated = None if amount is None else Decimal(amount)
    assert in_usd(stated, currency) == (None if dollars is None else Decimal(dollars))


@pytest.mark.parametrize(
    ("amount", "written"), [(35, "$35"), (7.5, "$7.50"), (1500, "$1,500"), (11.104, "$11.10")]
)
def test_dollars_are_written_as_people_do(amount, written):
    assert usd(amount) == written

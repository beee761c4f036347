from datetime import date
from decimal import Decimal

import pytest

from jobs.rates import Rate
from jobs.text.placeholders import is_meant, is_tiny

INR = Rate(Decimal("0.0105"), date(2026, 1, 1))


@pytest.mark.parametrize(
    ("amount", "rate", "tiny"),
    [("5", None, True), ("5.01", None, False), ("400", INR, True), ("500", INR, False)],
)
def test_five_of_anything_or_five_dollars_are_tiny(amount, rate, tiny):
    assert is_tiny(Decimal(amount), rate) == tiny
    assert not is_tiny(None, rate)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("we offer: $5 per article", True),
        ("4 usd each", True),
        ("survey: share your thoughts", True),
        ("a quick job for a new freelancer", True),
        ("budget as is, suit someone for review", True),
        ("a website with six pages", False),
        ("your budget is $5,000", False),
        ("$5k a month", False),
        ("5 years of experience", False),
    ],
)
def test_little_money_is_meant_where_the_text_speaks_of_little(text, meant):
    assert is_meant(text) == meant

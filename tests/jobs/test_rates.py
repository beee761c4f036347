import pytest

from jobs.rates import usd


@pytest.mark.parametrize(
    ("amount", "written"), [(35, "$35"), (7.5, "$7.50"), (1500, "$1,500"), (11.104, "$11.10")]
)
def test_dollars_are_written_as_people_do(amount, written):
    assert usd(amount) == written

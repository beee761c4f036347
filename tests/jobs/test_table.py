from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pytest

from jobs.columns import UNKNOWN, country_code, moment
from jobs.postings.posting import Posting
from jobs.rates import shipped
from jobs.table import JobTable

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_not_stated_is_nan_or_unknown():
    table = JobTable.of([Posting(id="upwork:1", title="A")], [NOW])
    assert np.isnan([table.hourly[0], table.budget[0], table.hires[0]]).all()
    assert table.kind[0] == table.country[0] == table.verified[0] == UNKNOWN
    assert np.isnat(table.posted[0])


def test_money_is_in_dollars():
    posting = Posting(id="upwork:1", title="A", hourly_min=Decimal(100), currency="INR")
    assert JobTable.of([posting], [NOW]).hourly[0] == pytest.approx(
        float(shipped().rates["INR"].usd) * 100
    )


def test_times_are_utc():
    assert moment(NOW.astimezone(timezone(timedelta(hours=5)))) == np.datetime64("2026-03-01T12:00")


def test_a_row_is_the_table_of_one():
    posts = [Posting(id=f"upwork:{n}", title=f"T{n}", proposals=n) for n in range(3)]
    row = JobTable.of(posts, [NOW] * 3).row(1)
    assert (len(row), row.titles, row.proposals.tolist()) == (1, ("t1",), [1.0])


def test_texts_keep_their_parts_apart():
    posting = Posting(id="upwork:1", title="Cold", skills=("Calling", "B-2-B"), description="X\nY")
    assert JobTable.of([posting], [NOW]).texts == ("cold\ncalling\nb 2 b\nx y",)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="1 postings, but 0 times"):
        JobTable.of([Posting(id="upwork:1", title="A")], [])


@pytest.mark.parametrize("country", [None, "", "USA", "é1", "1A"])
def test_other_than_two_letters_is_no_country(country):
    assert country_code(country) == UNKNOWN


def test_joined_tables_are_the_table_of_all():
    posts = [
        Posting(id=f"a:{n}", title=f"Django {n}", skills=("Python",), description="Hola " * n)
        for n in range(4)
    ]
    whole = JobTable.of(posts, [NOW] * 4)
    joined = JobTable.of(posts[:1], [NOW]).join(JobTable.of(posts[1:], [NOW] * 3))
    assert joined.postings == whole.postings
    assert (joined.texts, joined.languages) == (whole.texts, whole.languages)
    assert (joined.prepared.entries == whole.prepared.entries).all()
    for name, column in vars(whole).items():
        if isinstance(column, np.ndarray):
            assert np.array_equal(
                getattr(joined, name), column, equal_nan=column.dtype.kind in "fM"
            )

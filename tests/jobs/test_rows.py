"""What becomes of a source's rows, and which of them are only half understood."""

from datetime import UTC, datetime

import pytest

from jobs import rows
from jobs.postings.reading import BotWall, read_rows
from jobs.postings.rejection import Rejection
from jobs.rows import BadRow, sort_rows

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
GOOD = {"id": "1990000000000000001", "title": "A shop"}
HALF = {"id": "1990000000000000002", "title": "A logo", "country": "Nowhere", "budget": "plenty 9z"}


def test_rows_are_sorted_by_what_became_of_them():
    found = sort_rows([GOOD, HALF, {"no": "title"}, Rejection("broken", "line 4")], NOW)
    assert [posting.title for posting in found.postings] == ["A shop", "A logo"]
    about = {"kind": "rejected", "fetched_at": NOW}
    assert found.rejected == (
        BadRow(**about, reason="title: no title", raw={"no": "title"}),
        BadRow(**about, reason="line 4: broken", raw=None),
    )
    (half,) = found.half_understood
    assert (half.job_id, half.raw) == ("upwork:1990000000000000002", HALF)
    assert half.reason == "could not be read: pay, client's country"
    assert found.bad == found.rejected + found.half_understood


def test_a_row_that_breaks_the_normaliser_is_rejected_alone(monkeypatch):
    def normalise(raw, fetched_at, real=rows.normalise):
        if raw == HALF:
            raise LookupError("secret")
        return real(raw, fetched_at)

    monkeypatch.setattr(rows, "normalise", normalise)
    found = sort_rows([GOOD, HALF], NOW)
    assert [posting.title for posting in found.postings] == ["A shop"]
    assert [row.reason for row in found.rejected] == ["the normaliser broke: LookupError"]


@pytest.mark.parametrize(
    ("stated", "unread"),
    [
        ({"client_rating": "9.7"}, "client's rating"),
        ({"client_rating": "0.00"}, None),
        ({"client_country": "N/A"}, None),
        ({"client_country": ""}, None),
        ({"level": "wizardly"}, "level"),
        ({"proposals": "lots"}, "proposals"),
        ({"budget": "$0"}, None),
        ({"budget": "Hourly"}, None),
        ({"posted_at": "once upon a time"}, "date"),
        ({"posted_at": "2 hours ago"}, None),
    ],
)
def test_a_field_is_unread_when_it_says_something_nobody_understands(stated, unread):
    found = sort_rows([GOOD | stated], NOW)
    reasons = [row.reason for row in found.half_understood]
    assert reasons == ([f"could not be read: {unread}"] if unread else [])


def test_of_real_shapes_nearly_all_is_understood_whole(cases):
    seen = bad = 0
    for path in sorted((cases / "shapes").iterdir()):
        try:
            found = sort_rows([row for _, row in read_rows(path)], NOW)
        except BotWall:
            continue
        seen, bad = seen + len(found.postings), bad + len(found.half_understood)
    assert seen > 30
    assert bad <= 10

"""How long a server asks to be left alone."""

from datetime import UTC, datetime

import pytest

from accounts.retry_after import http_date, seconds_asked

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
ONE = "Wed, 25 Nov 2026 13:00:00 GMT"


@pytest.mark.parametrize(
    ("said", "since", "seconds"),
    [
        ("7", None, 7.0),
        (" 0 ", NOON, 0.0),
        (ONE, NOON, 3600.0),
        ("Wed, 25 Nov 2026 13:00:00 -0000", NOON, 3600.0),
        ("Wed, 25 Nov 2026 11:00:00 GMT", NOON, 0.0),
        (ONE, None, None),
        ("-5", NOON, None),
        ("٧", NOON, None),
        ("soon", NOON, None),
        ("", NOON, None),
        ("9" * 5000, NOON, None),
    ],
)
def test_seconds_asked(said, since, seconds):
    assert seconds_asked(said, since=since) == seconds


@pytest.mark.parametrize("said", ["", "soon", "Wed, 45 Nov 2026 13:00:00 GMT"])
def test_what_is_no_date(said):
    assert http_date(said) is None

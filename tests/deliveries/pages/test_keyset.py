"""Where a list goes on."""

from datetime import UTC, datetime

import pytest
from django.core.signing import Signer

from deliveries.pages.keyset import Cursor

MAILED = Cursor("sent", (datetime(2026, 11, 25, 12, 0, 0, 7, tzinfo=UTC), 80), "upwork:1")


@pytest.mark.parametrize("cursor", [MAILED, Cursor("waiting", (0,), "workana:a~b.c")])
def test_what_was_written_is_read(cursor):
    assert Cursor.read(cursor.write()) == cursor


@pytest.mark.parametrize(
    "said",
    [
        ["sent", ["2026-11-25T12:00:00+00:00"], "upwork:1"],
        ["sent", ["yesterday", 80], "upwork:1"],
        ["elsewhere", [80], "upwork:1"],
        ["waiting", 80, "upwork:1"],
        ["waiting"],
        7,
    ],
)
def test_what_we_would_not_write_any_more_is_none(said):
    assert Cursor.read(Signer(salt="deliveries.pages.keyset").sign_object(said)) is None


def test_nobody_else_writes_one():
    written = MAILED.write()
    assert Cursor.read(written[:-1] + ("A" if written[-1] != "A" else "B")) is None
    assert Cursor.read(Signer(salt="another").sign_object(["waiting", [80], "upwork:1"])) is None

"""The source that docs/sources.md shows how to add does what it says."""

import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from jobs.fetching import fetch_all
from jobs.models import Job, QuarantinedRow
from jobs.web.asking import Rules

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
PAGE = Path(__file__).resolve().parents[3] / "docs" / "sources.md"


@pytest.fixture
def board(monkeypatch, httpserver: HTTPServer) -> Any:
    """The documented source, asking a server on loopback."""
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    module = ModuleType("documented")
    monkeypatch.setitem(sys.modules, "documented", module)
    exec(found[1], module.__dict__)
    rules = Rules(allow_http=True, allow_private=True, seconds=5)
    return module.BoardSource("board", httpserver.url_for("/board"), rules)


@pytest.mark.django_db
def test_it_becomes_jobs_and_keeps_what_it_cannot_read(board, httpserver: HTTPServer):
    rows = [{"id": "~021990000000000000001", "title": "A shop"}, {"no": "title"}]
    httpserver.expect_request("/board").respond_with_data(json.dumps(rows)[:-1] + ', {"torn": ')
    summary = fetch_all([board], now=NOW)
    assert (summary.new_jobs, summary.rejected, summary.sources) == (1, 2, {"board": "ok"})
    assert Job.objects.get().trust == 20
    assert set(QuarantinedRow.objects.values_list("form", flat=True)) == {"value", "json"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "status", "state"),
    [
        ("[]", 200, "quiet"),
        ("", 200, "broken"),
        ("[7]", 200, "broken"),
        ('{"message": "Please log in to continue"}', 200, "logged_out"),
        ("<html><title>Log In</title></html>", 200, "logged_out"),
        ("", 401, "unauthorised"),
        ("", 429, "throttled"),
    ],
)
def test_its_trouble_is_a_state(board, httpserver: HTTPServer, body, status, state):
    httpserver.expect_request("/board").respond_with_data(body, status)
    assert fetch_all([board], now=NOW).sources == {"board": state}
    assert "board" in repr(board)
    assert httpserver.url_for("/") not in repr(board)

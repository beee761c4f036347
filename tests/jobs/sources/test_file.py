"""A file of postings that something else writes."""

import json
import os
from datetime import UTC, datetime

import pytest

from jobs.fetching import fetch_all
from jobs.sources.file import FileSource

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def test_a_file_is_read_once_until_it_changes(tmp_path):
    path = tmp_path / "posts.json"
    path.write_text(json.dumps([{"id": "1990000000000000001", "title": "A"}, {"no": "title"}]))
    source = FileSource("file", str(path))
    first = source.fetch(now=NOW, watermark="")
    assert (first.state, [p.title for p in first.postings], len(first.rejected)) == ("ok", ["A"], 1)
    assert source.fetch(now=NOW, watermark=first.watermark).postings == ()
    path.write_text(json.dumps([{"id": "1990000000000000002", "title": "B"}]))
    assert [p.title for p in source.fetch(now=NOW, watermark=first.watermark).postings] == ["B"]


def test_a_file_without_rows_stays_quiet(tmp_path):
    path = tmp_path / "posts.json"
    path.write_text("[]")
    source = FileSource("file", str(path))
    first = source.fetch(now=NOW, watermark="")
    assert [first.state, source.fetch(now=NOW, watermark=first.watermark).state] == ["quiet"] * 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "state"),
    [
        ("[]", "quiet"),
        ('{"jobs": [], "total": 0}', "quiet"),
        ('{"jobs": [], "error": "no such user"}', "broken"),
        ('{"jobs": [], "message": "Please log in to continue"}', "logged_out"),
        ("{}", "broken"),
        ("", "broken"),
        ("<html><title>Log In - Upwork</title></html>", "logged_out"),
        ("<?xml version='1.0'?><html><title>Log In - Upwork</title></html>", "logged_out"),
        ("<!-- <x> --><!doctype html><title>Sign in</title>", "logged_out"),
        ("<form><input name='p' type='password'></form>", "logged_out"),
        ('{"message": "Please log in to continue"}', "logged_out"),
        ('["You have been blocked"]', "blocked"),
        ("<p>You have been blocked</p>", "blocked"),
        (f"<jobs><job>Unblock a blocked page: captcha{' word' * 100}</job></jobs>", "broken"),
        ("nothing that could be a post", "broken"),
        ("<html><title>Challenge - Upwork</title><div id='cf-challenge'></div></html>", "blocked"),
    ],
)
def test_no_postings_is_not_the_same_as_a_wall(tmp_path, content, state):
    path = tmp_path / "posts.json"
    path.write_text(content)
    assert fetch_all([FileSource("file", str(path))], now=NOW).sources == {"file": state}


def test_a_missing_file_is_broken_and_says_why(tmp_path):
    fetched = FileSource("file", str(tmp_path / "none.json")).fetch(now=NOW, watermark="")
    assert (fetched.state, fetched.detail) == (
        "broken",
        "Cannot read the file: No such file or directory.",
    )


def test_what_would_be_read_without_an_end_is_not_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "long.csv").write_text("title\n" + "x" * 100)
    monkeypatch.setattr("jobs.sources.file.LONGEST", 50)
    for name in ("pipe", "long.csv", "."):
        fetched = FileSource("file", str(tmp_path / name)).fetch(now=NOW, watermark="")
        assert (fetched.state, fetched.detail[:14]) == ("broken", "It is no file,")

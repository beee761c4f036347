"""The sources that SCOUT_SOURCES can name."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from jobs.sources import SourceError, configured
from jobs.sources.file import FileSource
from jobs.sources.sample import SampleSource

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def test_each_source_has_a_name_without_its_path():
    sources = configured(["sample", "file:/secret/a.json", "file:/secret/b.json"])
    assert [source.name for source in sources] == ["sample", "file", "file 2"]


@pytest.mark.parametrize(
    ("spec", "shown"),
    [("nonsense", "nonsense"), ("file:", "file:"), ("feed:https://u:pw@x.test", "feed:…")],
)
def test_an_entry_nobody_understands_is_named(spec, shown):
    with pytest.raises(SourceError, match=f"names '{shown}', which is no source: use"):
        configured([spec])


def test_the_sample_has_eighty_fresh_posts():
    fetched = SampleSource().fetch(now=NOW, watermark="")
    assert (fetched.state, len(fetched.postings), fetched.rejected) == ("ok", 80, ())
    dates = [posting.posted_at for posting in fetched.postings]
    assert all(NOW - timedelta(hours=24) < date < NOW for date in dates)


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


@pytest.mark.parametrize(
    ("content", "state"),
    [
        ("[]", "quiet"),
        ("", "broken"),
        ("<html><title>Log In - Upwork</title></html>", "logged_out"),
        ("nothing that could be a post", "broken"),
        ("<html><title>Challenge - Upwork</title><div id='cf-challenge'></div></html>", "blocked"),
    ],
)
def test_no_postings_is_not_the_same_as_a_wall(tmp_path, content, state):
    path = tmp_path / "posts.json"
    path.write_text(content)
    assert FileSource("file", str(path)).fetch(now=NOW, watermark="").state == state


def test_a_missing_file_is_broken_and_says_why(tmp_path):
    fetched = FileSource("file", str(tmp_path / "none.json")).fetch(now=NOW, watermark="")
    assert (fetched.state, fetched.detail) == (
        "broken",
        "Cannot read the file: No such file or directory.",
    )

"""The sources that SCOUT_SOURCES can name."""

import pytest

from jobs.sources import SourceError, configured


def test_each_source_has_a_name_without_its_path():
    sources = configured(["sample", "file:/secret/a.json", "file:/secret/b.json"])
    assert [source.name for source in sources] == ["sample", "file", "file 2"]


@pytest.mark.parametrize(
    ("spec", "shown"),
    [("nonsense", "nonsense"), ("file:", "file:"), ("feeds:https://u:pw@x.test", "feeds:…")],
)
def test_an_entry_nobody_understands_is_named(spec, shown):
    with pytest.raises(SourceError, match=f"names '{shown}', which is no source: use"):
        configured([spec])


@pytest.mark.parametrize(
    ("spec", "debug", "http", "allowed"),
    [
        ("feed:https://x.example/rss", False, False, True),
        ("feed:http://x.example/rss", False, False, False),
        ("feed:http://x.example/rss", False, True, True),
        ("feed:http://x.example/rss", True, False, True),
        ("feed:ftp://x.example/rss", True, True, False),
        ("feed:https://[", True, True, False),
        ("feed:file:///etc/passwd", True, True, False),
    ],
)
def test_production_wants_https_for_feeds_unless_allowed(settings, spec, debug, http, allowed):
    settings.DEBUG, settings.SCOUT_FEED_HTTP = debug, http
    if allowed:
        assert [source.name for source in configured([spec])] == ["feed"]
    else:
        with pytest.raises(SourceError, match="feed:https://…, or set SCOUT_FEED_HTTP=1"):
            configured([spec])


def test_production_asks_no_private_address(settings):
    settings.DEBUG = False
    (feed,) = configured(["feed:https://x.example/rss"])
    assert (feed.rules.allow_private, feed.rules.allow_http) == (False, False)


def test_an_address_is_shown_nowhere():
    (feed,) = configured(["feed:https://ana:secret@x.example/rss?token=secret"])
    assert "secret" not in repr(feed) + feed.name + feed.place

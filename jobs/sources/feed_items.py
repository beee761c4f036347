"""Feeds to plain rows: RSS 2.0 and 1.0, Atom and JSON Feed, as `normalise` reads them."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from xml.parsers import expat

import feedparser

from jobs.sources.key_lines import split_facts

# What is no XML is read by a forgiving reader that takes seconds for each such part.
_MOST_BROKEN: Final = 1024 * 1024
_MOST_ITEMS: Final = 5_000
# The reader takes about 0.1 ms for an element, and far longer for one with a swarm of attributes.
_MOST_ELEMENTS: Final = 100_000
_MOST_ATTRIBUTES: Final = 200
_DEEPEST: Final = 200
_MORE: Final = f"More than {_MOST_ITEMS:,} items: the first of them were read."
_SLOPPY: Final = "Not well-formed XML: what could be read was."


class NoFeedError(Exception):
    """The bytes are no feed; the message says what they are, and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Feed:
    """The rows of a feed, and what is odd about it."""

    rows: tuple[object, ...]
    oddity: str = ""


def read_feed(data: bytes, *, url: str, content_type: str = "") -> Feed:
    """The items of a feed as rows, in its order.  Raises NoFeedError for what is no feed.

    `url` (without credentials) is what relative links are relative to.  Entities of a document's
    own are not expanded, outer ones not fetched.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        return _json_feed(data)
    whole = _is_well_formed(data)
    if not whole and len(data) > _MOST_BROKEN:
        raise NoFeedError("larger than 1 MiB and no well-formed XML")
    parsed = _parsed(data, url, content_type)
    if not parsed.get("version") and "charset" in content_type:  # the server may be wrong about it
        parsed = _parsed(data, url, "application/xml")
    if not parsed.get("version"):
        raise NoFeedError("neither RSS nor Atom")
    rows = tuple(_row(entry) for entry in parsed.entries[:_MOST_ITEMS])
    if not whole and not any(row.get("title") for row in rows):
        raise NoFeedError("a feed that is cut off before its first item")
    odd = _MORE if len(parsed.entries) > _MOST_ITEMS else ""
    return Feed(rows, odd if whole else _SLOPPY)


def _parsed(data: bytes, url: str, content_type: str) -> Any:
    headers = {"content-location": url, "content-type": content_type or "application/xml"}
    try:
        return feedparser.parse(
            io.BytesIO(data),
            response_headers=headers,
            sanitize_html=False,
            resolve_relative_uris=False,
        )
    except (UnicodeError, LookupError):  # codecs that decode nothing, such as "undefined"
        return {}


def _is_well_formed(data: bytes) -> bool:
    """Whether it is XML.  Raises NoFeedError for what would take too long to read."""
    parser = expat.ParserCreate()
    size = _Size()
    parser.StartElementHandler, parser.EndElementHandler = size.start, size.end
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        return False
    return True


class _Size:
    """How much there is to read, as far as it is read."""

    def __init__(self) -> None:
        self._elements = self._depth = 0

    def start(self, _: str, attributes: Mapping[str, str]) -> None:
        """Raises NoFeedError for what is more than any feed holds."""
        self._elements += 1
        self._depth += 1
        if self._elements > _MOST_ELEMENTS:
            raise NoFeedError(f"of more than {_MOST_ELEMENTS:,} elements")
        if self._depth > _DEEPEST or len(attributes) > _MOST_ATTRIBUTES:
            raise NoFeedError("too deeply nested, or of too many attributes")

    def end(self, _: str) -> None:
        """An element ends."""
        self._depth -= 1


def _row(entry: Any) -> dict[str, Any]:
    contents = [part.get("value", "") for part in entry.get("content", ())]
    description = max((entry.get("summary", ""), *contents), key=len)
    tags = [tag.get("term") or tag.get("label") for tag in entry.get("tags", ())]
    published = entry.get("published") or entry.get("created") or entry.get("updated")
    return _stated(
        title=entry.get("title"),
        description=description,
        url=entry.get("link"),
        guid=entry.get("id"),
        published=published,
        tags=[tag for tag in tags if tag],
    )


def _json_feed(data: bytes) -> Feed:
    try:
        feed = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        raise NoFeedError("broken JSON") from None
    is_feed = isinstance(feed, dict) and "jsonfeed.org" in str(feed.get("version"))
    items = feed.get("items") if is_feed else None
    if not isinstance(items, list):
        raise NoFeedError("JSON, but no JSON Feed")
    rows = tuple(map(_json_row, items[:_MOST_ITEMS]))
    return Feed(rows, _MORE if len(items) > _MOST_ITEMS else "")


def _json_row(item: object) -> object:
    if not isinstance(item, dict):
        return item  # to be rejected, not lost
    texts = [item.get(key) for key in ("content_html", "content_text", "summary")]
    return _stated(
        title=item.get("title"),
        description=next((text for text in texts if isinstance(text, str) and text), ""),
        url=item.get("url") or item.get("external_url"),
        guid=item.get("id"),
        published=item.get("date_published") or item.get("date_modified"),
        tags=item.get("tags") or [],
    )


def _stated(*, description: str, published: Any, tags: Any, **values: Any) -> dict[str, Any]:
    """A row with what is stated; the lines at the end of a description win over categories."""
    description, facts = split_facts(description)
    row = {**values, "description": description, "published": published}
    if tags and "skills" not in facts:
        row["skills"] = tags
    if published:
        facts.pop("posted_on", None)  # the same moment, less exactly
    return {key: value for key, value in (row | facts).items() if value}

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


class NoFeedError(Exception):
    """The bytes are no feed; the message says what they are, and quotes nothing."""


@dataclass(frozen=True, slots=True)
class Feed:
    """The rows of a feed, and what is odd about it."""

    rows: tuple[dict[str, Any], ...]
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
    headers = {"content-location": url, "content-type": content_type or "application/xml"}
    parsed = feedparser.parse(
        io.BytesIO(data),
        response_headers=headers,
        sanitize_html=False,
        resolve_relative_uris=False,
    )
    if not parsed.get("version"):
        raise NoFeedError("neither RSS nor Atom")
    rows = tuple(_row(entry) for entry in parsed.entries[:_MOST_ITEMS])
    if not whole and not any(row.get("title") for row in rows):
        raise NoFeedError("a feed that is cut off before its first item")
    return Feed(rows, "" if whole else "Not well-formed XML: what could be read was.")


def _is_well_formed(data: bytes) -> bool:
    parser = expat.ParserCreate()
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError):
        return False
    return True


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
    return Feed(tuple(_json_row(item) for item in items[:_MOST_ITEMS] if isinstance(item, dict)))


def _json_row(item: Mapping[str, Any]) -> dict[str, Any]:
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

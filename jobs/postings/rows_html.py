"""Rows out of a saved page: the tiles of its list of jobs, told by the names of their parts."""

import html
import json
import re
from collections.abc import Iterator
from typing import Final

from jobs.postings.fields import is_posting
from jobs.postings.listings import listed

# The names of the parts of a tile (a part may have several), and what they hold.
_PARTS: Final = {
    "job-pubilshed-date": "posted",
    "job-published-date": "posted",
    "posted-on": "posted",
    "job-tile-title-link": "title",
    "job-tile-title": "title",
    "payment-verified": "payment verified",
    "payment-unverified": "payment verified",
    "payment-verification-status": "payment verified",
    "feedback-rating": "client rating",
    "total-feedback": "client rating",
    "total-spent": "client spent",
    "client-spendings": "client spent",
    "location": "client country",
    "client-country": "client country",
    "job-type-label": "job type",
    "job-type": "job type",
    "experience-level": "experience level",
    "contractor-tier": "experience level",
    "is-fixed-price": "fixed price",
    "budget": "budget",
    "duration-label": "duration",
    "duration": "duration",
    "JobDescription": "description",
    "job-description-text": "description",
    "token": "skills",
    "attr-item": "skills",
    "proposals-tier": "proposals",
    "proposals": "proposals",
    "JobSearchCard-primary-heading-link": "title",
    "JobSearchCard-primary-description": "description",
    "JobSearchCard-primary-tagsLink": "skills",
    "JobSearchCard-secondary-price": "budget",
    "JobSearchCard-secondary-entry": "proposals",
    "JobSearchCard-primary-heading-status": "payment verified",
    "jobRecord__title": "title",
    "jobRecord__desc": "description",
    "jobRecord__budget": "budget",
    "skillsList__skill": "skills",
}
_VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())
_TILE_CLASSES: Final = frozenset(
    ("job-tile", "job-tile-wrapper", "JobSearchCard-item", "jobRecord")
)
# Where links from the root lead to, by the class of a tile that tells.
_HOSTS: Final = {
    "JobSearchCard-item": "https://www.freelancer.com",
    "jobRecord": "https://www.guru.com",
}
_TILE_TESTS: Final = frozenset(("JobTile", "job-tile"))
_TILE_TAGS: Final = frozenset(("article", "section"))
_HIDDEN: Final = {
    name: re.compile(rf"</{name}\s*>", re.IGNORECASE)
    for name in ("script", "style", "noscript", "svg")
}
_LOOKED_AT: Final = 5  # rows that tell whether a store holds jobs
_DEEPEST: Final = 200
_LONGEST_PART: Final = 50_000
_LONGEST: Final = 5_000_000  # characters of a page that are read
# A tag; one with a bracket inside its attributes is text, and so is one cut short.
_TAG: Final = re.compile(r"<(/?)([A-Za-z][\w:-]{0,30})((?:[\s/][^<>]*)?)>")
_ATTRIBUTE: Final = re.compile(r"([\w:@-]{1,50})\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+))")
_JOB_LINK: Final = re.compile(r"/jobs/[^?#]*~0[12]")
_COMMENT: Final = re.compile(r"<!--[^<>]*-->")


def tile_rows(text: str) -> Iterator[tuple[int, object]]:
    """The tiles of a page as objects, numbered from 1, and the postings in its linked data.

    A tile is an element of the class `job-tile`, or one whose `data-test` says so; one cut short
    gives what it held so far.  Pages without any give nothing.  Never raises.
    """
    text = text[:_LONGEST]
    begun = text.rfind("<")
    text = text if ">" in text[begun:] else text[:begun]  # a tag cut short is no text
    tiles = _Tiles()
    at = 0
    while found := _TAG.search(text, at):
        tiles.data(text[at : found.start()])
        at = found.end()
        name = found[2].lower()
        if found[1]:
            tiles.end(name)
        elif name in _HIDDEN:
            closed = _HIDDEN[name].search(text, at)
            tiles.hidden(found[3], text[at : closed.start()] if closed else "")
            at = closed.end() if closed else len(text)
        else:
            tiles.start(name, _attributes(found[3]), closed=found[3].endswith("/"))
    tiles.data(text[at:])
    yield from enumerate([*tiles.rows(), *tiles.linked] or tiles.stored, start=1)


def _attributes(written: str) -> dict[str, str]:
    return {
        name.lower(): html.unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(written)
    }


class _Tiles:
    """Collects the texts of the parts of each tile."""

    def __init__(self) -> None:
        self._found: list[dict[str, list[str]]] = []
        self._open: list[tuple[str, str | None]] = []  # tag and part, from the tile inwards
        self._host = ""
        self.linked: list[object] = []
        self.stored: list[object] = []

    def rows(self) -> list[object]:
        """The tiles so far; a part's first text that says something, skills in a list."""
        told = ({name: _told(texts) for name, texts in tile.items()} for tile in self._found)
        return [
            {name: texts if name == "skills" else texts[0] for name, texts in tile.items() if texts}
            for tile in told
            if tile.get("title")
        ]

    def start(self, tag: str, values: dict[str, str], *, closed: bool) -> None:
        """Note a tile, or a part of the one that is open."""
        tests = [*values.get("data-test", "").split(), *values.get("data-qa", "").split()]
        classes = values.get("class", "").split()
        if not self._open:
            numbered = tag in _TILE_TAGS and "data-ev-job-uid" in values
            if not (numbered or _TILE_CLASSES & set(classes) or _TILE_TESTS & set(tests)):
                return
            self._found.append({})
            self._host = next((_HOSTS[name] for name in classes if name in _HOSTS), "")
        part = next((_PARTS[name] for name in (*tests, *classes) if name in _PARTS), None)
        if part is None and tag == "a" and _JOB_LINK.search(values.get("href", "")):
            part = "title"  # of a tile whose title has no name
        if tag == "p" and "mb-0" in classes:
            part = "description"  # of a tile whose description has no name
        self._note(values, part)
        if not closed and tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append((tag, part))

    def end(self, tag: str) -> None:
        """Close the innermost element of this name, and all inside it."""
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at][0] == tag:
                del self._open[at:]
                return

    def data(self, text: str) -> None:
        """Add a text to every part that is open."""
        parts = {part for _, part in self._open if part} if text else ()
        for part in parts:
            texts = self._found[-1][part]
            if len(texts[-1]) < _LONGEST_PART:
                texts[-1] += html.unescape(_COMMENT.sub("", text))

    def hidden(self, attributes: str, text: str) -> None:
        """Keep the postings of linked data and of a page's store; other scripts are no text."""
        if "json" not in attributes:
            return
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            return
        if "ld+json" not in attributes:
            rows = listed(found)
            self.stored += rows if any(map(_is_posting, rows[:_LOOKED_AT])) else []
            return
        items = found if isinstance(found, list) else [found]
        self.linked += [
            item for item in items if isinstance(item, dict) and item.get("@type") == "JobPosting"
        ]

    def _note(self, values: dict[str, str], part: str | None) -> None:
        tile = self._found[-1]
        if part:
            tile.setdefault(part, []).append("")
        if values.get("href") and "title" in (part, *(open_part for _, open_part in self._open)):
            host = self._host if values["href"].startswith("/") else ""
            tile.setdefault("url", [host + values["href"]])
        for name in ("data-ev-job-uid", "data-test-key", "data-job-uid"):
            if values.get(name):
                tile.setdefault("uid", [values[name]])


def _is_posting(row: object) -> bool:
    return isinstance(row, dict) and is_posting(row)


def _told(texts: list[str]) -> list[str]:
    """The texts that say something."""
    return [text.strip() for text in texts if text.strip()]

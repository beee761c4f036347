"""Rows out of a saved page: the tiles of its list of jobs, told by the names of their parts."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

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
}
_VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())
_TILE_CLASSES: Final = frozenset(("job-tile", "job-tile-wrapper"))
_TILE_TESTS: Final = frozenset(("JobTile", "job-tile"))
_HIDDEN: Final = frozenset(("script", "style", "noscript", "svg"))
_DEEPEST: Final = 1000


def tile_rows(text: str) -> Iterator[tuple[int, object]]:
    """The tiles of a page as objects, numbered from 1, and the postings in its linked data.

    A tile is an element of the class `job-tile`, or one whose `data-test` says so; one cut short
    gives what it held so far.  Pages without any give nothing.  Never raises.
    """
    reader = _Tiles()
    begun = text.rfind("<")
    reader.feed(text if ">" in text[begun:] else text[:begun])  # a tag cut short is no text
    reader.close()
    yield from enumerate([*reader.rows(), *reader.linked], start=1)


class _Tiles(HTMLParser):
    """Collects the texts of the parts of each tile."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._found: list[dict[str, list[str]]] = []
        self._open: list[tuple[str, str | None, bool]] = []  # tag, part, whether a tile begins
        self._hidden = ""
        self._data: list[str] = []
        self.linked: list[object] = []

    def rows(self) -> list[object]:
        """The tiles so far; of parts with several texts, all in a list where they are skills."""
        return [
            {name: texts if name == "skills" else texts[0] for name, texts in tile.items() if texts}
            for tile in ({n: _told(t) for n, t in raw.items()} for raw in self._found)
            if tile.get("title")
        ]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tile, or a part of the one that is open."""
        values = {name: value or "" for name, value in attrs}
        if tag in _HIDDEN:
            self._hidden = tag
            self._data.clear()
            if values.get("type") == "application/ld+json":
                self._hidden = "data"
            return
        tests = values.get("data-test", "").split() + values.get("data-qa", "").split()
        begins = bool(
            _TILE_CLASSES & set(values.get("class", "").split()) & _tile_tag(tag)
        ) or bool(_TILE_TESTS & set(tests))
        begins = begins and not any(is_tile for _, _, is_tile in self._open)
        if begins:
            self._found.append({})
        part = next((_PARTS[test] for test in tests if test in _PARTS), None)
        part = part or _part_of_class(tag, values.get("class", ""))
        if self._inside or begins:
            self._note(values, part)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append((tag, part, begins))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element of this name, and all inside it."""
        if tag in _HIDDEN:
            if self._hidden == "data":
                self._read_data()
            self._hidden = ""
            return
        for at in range(len(self._open) - 1, -1, -1):
            if self._open[at][0] == tag:
                del self._open[at:]
                return

    def handle_data(self, data: str) -> None:
        """Add the text to every part that is open."""
        if self._hidden == "data":
            self._data.append(data)
        if self._hidden or not self._inside:
            return
        tile = self._found[-1]
        for part in {part for _, part, _ in self._open if part}:
            tile[part][-1] += data

    @property
    def _inside(self) -> bool:
        return bool(self._found) and any(is_tile for _, _, is_tile in self._open)

    def _note(self, values: dict[str, str], part: str | None) -> None:
        tile = self._found[-1]
        if part:
            tile.setdefault(part, []).append("")
        if part == "title" and values.get("href"):
            tile.setdefault("url", [values["href"]])
        for name in ("data-ev-job-uid", "data-test-key", "data-job-uid"):
            if values.get(name):
                tile.setdefault("uid", [values[name]])

    def _read_data(self) -> None:
        try:
            found = json.loads("".join(self._data))
        except (ValueError, RecursionError):
            return
        items = found if isinstance(found, list) else [found]
        self.linked += [
            item for item in items if isinstance(item, dict) and item.get("@type") == "JobPosting"
        ]


def _tile_tag(tag: str) -> frozenset[str]:
    return _TILE_CLASSES if tag in ("article", "section", "div", "li") else frozenset()


def _part_of_class(tag: str, classes: str) -> str | None:
    """The description of a tile stands in a paragraph that has no name of its own."""
    return "description" if tag == "p" and "mb-0" in classes.split() else None


def _told(texts: list[str]) -> list[str]:
    """The texts that say something, each on one line but for a description's own lines."""
    return [text.strip() for text in texts if text.strip()]

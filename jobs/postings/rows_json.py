"""Rows out of JSON: a list, one object, an object around a list, or one value a line."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from jobs.postings.fields import SYNONYMS, plain
from jobs.postings.rejection import Rejection

# Keys under which sources put their list, the likeliest first.
_LISTS: Final = tuple("jobs results items item data records rows postings edges projects".split())
_DEEPEST: Final = 6
_BROKEN: Final = "broken JSON"
_DECODER: Final = json.JSONDecoder()


def json_rows(text: str) -> Iterator[tuple[int, object]]:
    """The rows of a JSON text with their numbers from 1; lines count where each is a row.

    What cannot be read is a Rejection in its place.  Never raises.
    """
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _elements(text) if text.startswith("[") else _lines(text)
        return
    yield from enumerate(_listed(whole), start=1)


def _listed(whole: object) -> list[object]:
    """The rows in a whole JSON value; an object that is no posting is searched for its list."""
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, Mapping) or _has_title(whole):
        return [whole]
    found = _list_in(whole)
    return [whole] if found is None else found


def _list_in(whole: Mapping[str, object]) -> list[object] | None:
    """The list of rows nearest to the top, one with a likely name before the longest."""
    level: list[Mapping[str, object]] = [whole]
    for _ in range(_DEEPEST):
        items = [item for parent in level for item in parent.items()]
        lists = [
            (key, value) for key, value in items if isinstance(value, list) and _is_rows(key, value)
        ]
        if lists:
            return max(lists, key=lambda found: (-_rank(found[0]), len(found[1])))[1]
        level = [value for _, value in items if isinstance(value, Mapping)]
    return None


def _is_rows(key: str, value: list[object]) -> bool:
    """Whether a list holds postings: by its name, or by a title in its first object."""
    first = value[0] if value else {}
    return isinstance(first, Mapping) and (_rank(key) < len(_LISTS) or _has_title(first))


def _has_title(row: Mapping[str, object]) -> bool:
    return any(plain(key[:80]) in SYNONYMS["title"] for key in row)


def _rank(key: str) -> int:
    name = plain(key[:80])
    return _LISTS.index(name) if name in _LISTS else len(_LISTS)


def _lines(text: str) -> Iterator[tuple[int, object]]:
    """One value a line; when no line can be read, one Rejection for the whole."""
    lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    rows = [(number, _value(line, number)) for number, line in lines]
    if len(rows) > 1 and all(isinstance(row, Rejection) for _, row in rows):
        rows = rows[:1]
    yield from rows


def _value(line: str, number: int) -> object:
    try:
        return json.loads(line.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return Rejection(_BROKEN, f"line {number}")


def _elements(text: str) -> Iterator[tuple[int, object]]:
    """The elements of a list that is broken somewhere, up to there."""
    at, number = 1, 1
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if text[at : at + 1] == "]":
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            yield number, Rejection(_BROKEN, f"element {number}")
            return
        yield number, value
        number += 1

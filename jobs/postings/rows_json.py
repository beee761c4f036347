"""Rows out of JSON: a list, one object, an object around a list, or one value a line."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from jobs.postings.fields import SYNONYMS, plain
from jobs.postings.rejection import Rejection

# Keys under which sources put their list, the likeliest first.
_LISTS: Final = tuple("jobs results items item data records rows postings edges projects".split())
_DEEPEST: Final = 6
_BROKEN: Final = "broken JSON"
_PROBED: Final = 100  # lines that tell JSON lines from one broken value
_MOST_BROKEN: Final = 10_000  # lines before the first good one
_LONGEST_INT: Final = 40  # digits; Python refuses to read 4,301 of them
_FAILED_CHARS: Final = 20_000_000  # read in vain in one text before the rest of it is given up
_SCANNED: Final = 2_000_000  # characters of one broken element
_FAILURE: Final = 200  # what a failure costs at least, in characters
_TOO_DEEP: Final = 5_000  # what an element nested too deeply costs, in characters

# A string (closed or not), or what brackets and parts elements.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
_OBJECT: Final = re.compile(r'(?<=[,}\]\s])\{\s*+["}]')
_LIST: Final = re.compile(r'"([^"\\]{1,80})"\s*+:\s*+(?=\[\s*+[^\]\s"\d])')


class _Text(str):
    """A text whose lines an error does not count, for that takes as long as reading it."""

    __slots__ = ()

    def count(self, *_: Any) -> int:
        return 0

    def rfind(self, *_: Any) -> int:
        return -1


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_DECODER: Final = json.JSONDecoder(parse_int=_int, strict=False)


def json_rows(text: str) -> Iterator[tuple[int, object]]:
    """The rows of a JSON text with their numbers from 1; lines count where each is a row.

    What cannot be read is a Rejection in its place.  Never raises.
    """
    text = _Text(text)
    if text.startswith("["):
        yield from _Elements(text, 1).rows()
        return
    try:
        whole = _DECODER.decode(text)
    except (ValueError, RecursionError):
        yield from _pieces(text)
        return
    yield from enumerate(_listed(whole), start=1)


def _pieces(text: str) -> Iterator[tuple[int, object]]:
    """The rows of a text that is not one JSON value: lines, a broken list, or value on value."""
    probed = [_value(line, number) for number, line in islice(_numbered(text), _PROBED)]
    good = sum(isinstance(row, Mapping) for row in probed)
    at = None if good and 2 * good >= len(probed) else _beginning(text)
    yield from _lines(text) if at is None else _Elements(text, at).rows()


def _beginning(text: str) -> int | None:
    """Where the elements begin in a broken object, or 0 where one value follows another."""
    if not text.startswith("{"):
        return None
    for found in _LIST.finditer(text):
        if _rank(found[1]) < len(_LISTS):
            return text.index("[", found.end()) + 1
    try:
        _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return 0


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


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank with their numbers, without a list of them all."""
    at = number = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line, number, at = text[at:end], number + 1, end + 1
        if line.strip():
            yield number, line


def _lines(text: str) -> Iterator[tuple[int, object]]:
    """One value a line; when no line can be read, one Rejection for the whole."""
    broken: list[tuple[int, object]] | None = []
    for number, line in _numbered(text):
        row = _value(line, number)
        if broken is not None and isinstance(row, Rejection):
            broken.append((number, row))
            if len(broken) > _MOST_BROKEN:
                break
            continue
        yield from broken or ()
        broken = None
        yield number, row
    yield from (broken or ())[:1]


def _value(line: str, number: int) -> object:
    try:
        return _DECODER.decode(_Text(line.lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return Rejection(_BROKEN, f"line {number}")


class _Elements:
    """The elements of a list, read one by one; after a broken one the next is looked for."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._left = _FAILED_CHARS
        self._keys: frozenset[str] = frozenset()

    def rows(self) -> Iterator[tuple[int, object]]:
        """The elements with their numbers from 1; a broken one is one Rejection."""
        number = 1
        while self._to_next():
            start = self._at
            read, value = self._decode(start)
            if not read:
                yield number, Rejection(_BROKEN, f"element {number}")
                if not self._resume(start):
                    return
            else:
                yield number, value
                if isinstance(value, Mapping):
                    self._keys = frozenset(islice(value, 100))
            number += 1

    def _to_next(self) -> bool:
        """Whether there is another element, here or in a list right after the end of this."""
        text, at = self._text, self._at
        closed = False
        while at < len(text) and (text[at] in " \t\r\n,]" or (closed and text[at] == "[")):
            closed = text[at] == "]" or (closed and text[at] != "[")
            at += 1
        self._at = at
        return at < len(text) and not closed

    def _decode(self, at: int) -> tuple[bool, object]:
        """Whether there is a value, and the value, behind which the next is looked for."""
        try:
            value, self._at = _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            self._left -= max(error.pos - at, 0) + _FAILURE
        except (ValueError, RecursionError):
            self._left -= _TOO_DEEP
        else:
            return True, value
        return False, None

    def _resume(self, start: int) -> bool:
        """Whether an element was found after the broken one at `start`; it is read next.

        It stands where the broken one ends by its brackets, or is an object like the others.
        """
        end = self._end(start)
        for found in _OBJECT.finditer(self._text, start + 1, end or len(self._text)):
            if self._left < 0:
                return False
            read, value = self._decode(found.start())
            if read and self._is_like_others(value):
                self._at = found.start()
                return True
            self._left -= self._at - found.start() if read else 0
        self._at = end or start
        return end is not None and self._left >= 0

    def _end(self, start: int) -> int | None:
        """Where the element at `start` ends by its brackets, None when they do not close."""
        depth, stop = 0, min(start + _SCANNED, len(self._text))
        for token in _TOKEN.finditer(self._text, start, stop):
            mark = token[0]
            if mark in "[{":
                depth += 1
            elif mark in "]}":
                depth -= 1
            if depth < 0 or (depth == 0 and mark in ",]}"):
                self._left -= token.end() - start
                return max(token.start() + (mark != "]" or depth == 0), start + 1)
        self._left -= stop - start
        return None

    def _is_like_others(self, value: object) -> bool:
        """Whether an object is a sibling of the last element, or looks like a posting."""
        if not isinstance(value, Mapping):
            return False
        if self._keys:
            return 2 * len(self._keys & set(value)) > len(self._keys)
        return len(value) > 1 and _has_title(value)

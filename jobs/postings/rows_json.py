"""Rows out of JSON: a list, one object, an object around a list, or one value a line."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from jobs.postings.botwall import wall_in
from jobs.postings.fields import has_title
from jobs.postings.json_elements import BROKEN, DECODER, Elements, Text
from jobs.postings.lexicon import plain
from jobs.postings.listings import expanded, is_likely, listed
from jobs.postings.rejection import Rejection, Scrap

_PROBED: Final = 100  # lines that tell JSON lines from one broken value
_MOST_BROKEN: Final = 10_000  # lines before the first good one
_HUGE: Final = 8_000_000  # characters of an object above which its list is read bit by bit

_LIST: Final = re.compile(r'"([^"\\]{1,80})"\s*+:\s*+(?=\[\s*+[^\]\s"\d])')
_WELL: Final = frozenset(("ok", "success", "succeeded"))
_FAILED: Final = re.compile(r"error|fail|denied|unauthori|forbidden|exception", re.IGNORECASE)
_TABLE: Final = re.compile(r'\[\s*+\[\s*+(?:"|\{)')


def json_rows(text: str) -> Iterator[tuple[int, object]]:
    """The rows of a JSON text with their numbers from 1; lines count where each is a row.

    What cannot be read is a Rejection in its place.  Never raises.
    """
    for number, row in _rows(Text(text)):
        if isinstance(row, Rejection):
            yield number, row
        else:
            yield from ((number, one) for one in expanded(row))


def _rows(text: Text) -> Iterator[tuple[int, object]]:
    if text.startswith("[") and not _TABLE.match(text):
        yield from Elements(text, 1).rows()
        return
    if len(text) > _HUGE and (at := _beginning(text)):
        yield from Elements(text, at).rows()
        return
    try:
        whole = DECODER.decode(text)
    except (ValueError, RecursionError):
        if text.startswith("["):
            yield from Elements(text, 1).rows()
        else:
            yield from _pieces(text)
        return
    rows = listed(whole)
    if not (len(rows) == 1 and rows[0] is whole and _holds_none(whole)):
        yield from enumerate(rows, start=1)


def _holds_none(whole: object) -> bool:
    """Whether an object holds an empty list of jobs, and tells of no trouble."""
    if not isinstance(whole, Mapping) or has_title(whole) or wall_in(whole):
        return False
    named = {plain(key[:80]): value for key, value in whole.items() if isinstance(key, str)}
    failed = any(
        (value is False and name in _WELL)
        or (value and _FAILED.search(name))
        or (isinstance(value, str) and _FAILED.search(value))
        for name, value in named.items()
    )
    empty = any(
        is_likely(name) and (value == [] or _holds_none(value)) for name, value in named.items()
    )
    return empty and not failed


def _pieces(text: str) -> Iterator[tuple[int, object]]:
    """The rows of a text that is not one JSON value: lines, a broken list, or value on value."""
    probed = [_value(line, number) for number, line in islice(_numbered(text), _PROBED)]
    good = sum(isinstance(row, Mapping) for row in probed)
    at = None if good and 2 * good >= len(probed) else _beginning(text)
    yield from _lines(text) if at is None else Elements(text, at).rows()


def _beginning(text: str) -> int | None:
    """Where the elements begin in a broken object, or 0 where one value follows another."""
    if not text.startswith("{"):
        return None
    for found in _LIST.finditer(text):
        if is_likely(found[1]):
            return text.index("[", found.end()) + 1
    try:
        DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return 0


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
    for number, _ in (broken or ())[:1]:
        yield number, _broken(text, number)


def _value(line: str, number: int) -> object:
    try:
        return DECODER.decode(Text(line.lstrip("\ufeff")))
    except (ValueError, RecursionError):
        return _broken(line, number)


def _broken(text: str, number: int) -> Rejection:
    return Rejection(BROKEN, f"line {number}", Scrap.cut("json", text))

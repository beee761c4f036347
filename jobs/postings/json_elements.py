"""The elements of a JSON list, one by one; a broken one costs itself only."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from jobs.postings.fields import has_title
from jobs.postings.rejection import LONGEST_SCRAP, Rejection, Scrap

BROKEN: Final = "broken JSON"
_LONGEST_INT: Final = 40  # digits; Python refuses to read 4,301 of them
_FAILED_CHARS: Final = 20_000_000  # read in vain in one text before the rest of it is given up
_SCANNED: Final = 2_000_000  # characters of one broken element
_FAILURE: Final = 200  # what a failure costs at least, in characters
_TOO_DEEP: Final = 5_000  # what an element nested too deeply costs, in characters

# A string (closed or not), or what brackets and parts elements.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},]', re.DOTALL)
_OBJECT: Final = re.compile(r'(?<=[,}\]\s])\{\s*+["}]')


class Text(str):
    """A text whose lines an error does not count, for that takes as long as reading it."""

    __slots__ = ()

    def count(self, *_: Any) -> int:
        return 0

    def rfind(self, *_: Any) -> int:
        return -1


def _int(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


DECODER: Final = json.JSONDecoder(parse_int=_int, strict=False)


class Elements:
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
                goes_on = self._resume(start)
                yield number, self._rejected(start, number, goes_on=goes_on)
                if not goes_on:
                    return
            else:
                yield number, value
                if isinstance(value, Mapping):
                    self._keys = frozenset(islice(value, 100))
            number += 1

    def _rejected(self, start: int, number: int, *, goes_on: bool) -> Rejection:
        """The broken element with its text: as far as where the next is looked for, or the rest."""
        end = min(self._at if goes_on else len(self._text), start + LONGEST_SCRAP + 1)
        return Rejection(BROKEN, f"element {number}", Scrap("json", str(self._text[start:end])))

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
            value, self._at = DECODER.raw_decode(self._text, at)
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
        return len(value) > 1 and has_title(value)

"""Rows out of CSV: the delimiter is found out, and a broken record costs its first line only."""

import csv
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import Final

from jobs.postings.rejection import Rejection, Scrap

_DELIMITERS: Final = ",;\t|"
_MOST_LINES: Final = 5000  # of one record
_MOST_COLUMNS: Final = 1000
_LONGEST_LINE: Final = 10_000_000
_LONGEST_HEADER: Final = 100_000  # characters in which the delimiter is looked for
# What broken records may have read in vain, in lines and in characters; then a record is a line.
_FAILED_LINES: Final = 50_000
_FAILED_CHARS: Final = 20_000_000
_BROKEN: Final = "broken CSV record"

# The library's own limit for a cell, 131,072, is for the whole process; texts can be longer.
csv.field_size_limit(_LONGEST_LINE)


def csv_rows(text: str) -> Iterator[tuple[int, object]]:
    """The records of a CSV text as dicts by the header's names, with the line each begins at.

    A record with more cells than the header, or with a quote that never closes, is a Rejection.
    Blank lines are skipped; missing cells are "".  Never raises.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    delimiter = _delimiter(text[:_LONGEST_HEADER].partition("\n")[0])
    header: list[str] | None = None
    head = ""
    records = _Records(text, delimiter)
    for number, cells in records:
        if cells is None:
            yield number, _rejected(_BROKEN, number, records.first, head)
        elif not any(cell.strip() for cell in cells):
            continue
        elif header is None and len(cells) > _MOST_COLUMNS:
            yield number, _rejected("more than 1,000 columns", number, text, head)
            return
        elif header is None:
            header, head = [name.strip() for name in cells], records.taken
        elif len(cells) > len(header) and any(cells[len(header) :]):
            yield number, _rejected("more cells than the header", number, records.taken, head)
        else:
            yield number, _named(header, cells)


def _rejected(reason: str, number: int, text: str, head: str) -> Rejection:
    return Rejection(reason, f"line {number}", Scrap.cut("csv", text, head))


def _named(header: list[str], cells: list[str]) -> dict[str, str]:
    """Cells by name; of two columns with one name, the first that is not blank."""
    row: dict[str, str] = {}
    padded = cells + [""] * (len(header) - len(cells))
    for name, cell in zip(header, padded, strict=False):
        row[name] = row.get(name) or cell
    return row


def _delimiter(header: str) -> str:
    """The candidate that occurs most often outside quotes in the header."""
    unquoted = "".join(header.split('"')[::2])
    return max(_DELIMITERS, key=unquoted.count)


class _Records:
    """Records with the number of their first line; after a broken one, the next line is tried."""

    def __init__(self, text: str, delimiter: str) -> None:
        self._lines = _each_line(text)
        self._again: deque[str] = deque()  # lines of a broken record, after its first
        self._taken: list[str] = []
        self._delimiter = delimiter
        self._failed_lines = self._failed_chars = 0

    @property
    def taken(self) -> str:
        """The lines of the present record."""
        return "".join(self._taken)

    @property
    def first(self) -> str:
        """The first of them: what a broken record costs."""
        return self._taken[0]

    def __iter__(self) -> Iterator[tuple[int, list[str] | None]]:
        """The cells of each record, None for a broken one."""
        number = 1
        while True:
            self._taken.clear()
            reader = csv.reader(
                islice(self._source(), self._most()), delimiter=self._delimiter, strict=True
            )
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield number, _alone(self._give_back(), self._delimiter)
                number += 1
                continue
            yield number, cells
            number += reader.line_num

    def _most(self) -> int:
        """How many lines a record may have."""
        spent = self._failed_lines > _FAILED_LINES or self._failed_chars > _FAILED_CHARS
        return 1 if spent else _MOST_LINES

    def _source(self) -> Iterator[str]:
        while True:
            line = self._again.popleft() if self._again else next(self._lines, None)
            if line is None:
                return
            self._taken.append(line)
            yield line

    def _give_back(self) -> str:
        """The first line of a broken record; its others are read again."""
        first, *others = self._taken
        self._again.extendleft(reversed(others))
        self._failed_lines += len(others)
        self._failed_chars += sum(map(len, others))
        return first


def _each_line(text: str) -> Iterator[str]:
    """The lines one by one, each with its end; one too long for a record is cut."""
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at : min(end, at + _LONGEST_LINE)] + "\n"
        at = end + 1


def _alone(line: str, delimiter: str) -> list[str] | None:
    """The cells of one line with quotes in odd places, None when a quote stays open."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return None
    return None if cells and cells[-1].endswith("\n") else cells

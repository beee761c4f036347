"""Rows out of CSV: the delimiter is found out, and a broken record costs its first line only."""

import csv
from collections.abc import Iterator
from typing import Final

from jobs.postings.rejection import Rejection

_DELIMITERS: Final = ",;\t|"
_MOST_LINES: Final = 5000  # of one record
_BROKEN: Final = "broken CSV record"

# The library's own limit for a cell, 131,072, is for the whole process; texts can be longer.
csv.field_size_limit(10_000_000)


def csv_rows(text: str) -> Iterator[tuple[int, object]]:
    """The records of a CSV text as dicts by the header's names, with the line each begins at.

    A record with more cells than the header, or with a quote that never closes, is a Rejection.
    Blank lines are skipped; missing cells are "".  Never raises.
    """
    lines = [line + "\n" for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    delimiter = _delimiter(lines[0])
    records = _records(lines, delimiter)
    header: list[str] | None = None
    for number, cells in records:
        if isinstance(cells, Rejection):
            yield number, cells
        elif not any(cell.strip() for cell in cells):
            continue
        elif header is None:
            header = [name.strip() for name in cells]
        elif len(cells) > len(header) and any(cells[len(header) :]):
            yield number, Rejection("more cells than the header", f"line {number}")
        else:
            yield number, _named(header, cells)


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


def _records(lines: list[str], delimiter: str) -> Iterator[tuple[int, list[str] | Rejection]]:
    """Records with the number of their first line; after a broken one, the next line is tried."""
    at = 0
    while at < len(lines):
        some = (lines[i] for i in range(at, min(at + _MOST_LINES, len(lines))))
        reader = csv.reader(some, delimiter=delimiter, strict=True)
        try:
            cells = next(reader)
        except csv.Error:
            yield at + 1, _alone(lines[at], delimiter) or Rejection(_BROKEN, f"line {at + 1}")
            at += 1
            continue
        yield at + 1, cells
        at += reader.line_num


def _alone(line: str, delimiter: str) -> list[str] | None:
    """The cells of one line with quotes in odd places, None when a quote stays open."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter))
    except csv.Error:
        return None
    return None if cells and cells[-1].endswith("\n") else cells

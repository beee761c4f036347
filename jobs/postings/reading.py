"""Files of raw rows: JSON, JSON lines and CSV, compressed or not.

One broken line costs that line only; an undecodable byte costs nothing but itself.
"""

import codecs
import re
import zlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from jobs.postings.botwall import BotWall, is_page, wall_in, wall_instead
from jobs.postings.fields import has_title
from jobs.postings.rejection import Form, Rejection, Scrap
from jobs.postings.rows_csv import csv_rows
from jobs.postings.rows_html import tile_rows
from jobs.postings.rows_json import json_rows

__all__ = ["BotWall", "read_rows", "read_scrap", "rows_of"]

LONGEST: Final = 128 * 1024 * 1024  # bytes, after decompression
MOST_ROWS: Final = 200_000
_PROBED: Final = 50  # rows that tell a file of walls
_LONGEST_MESSAGE: Final = 400  # characters of a text that is a message instead of data
_MOST_MEMBERS: Final = 1000  # of a gzip file; each costs a copy of what follows
_CHUNK: Final = 1024 * 1024
_GZIP: Final = b"\x1f\x8b"
_JSON_NAMES: Final = (".json", ".jsonl", ".ndjson")
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark begins it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read_rows(path: Path) -> Iterator[tuple[int, object | Rejection]]:
    """The rows of a file, each with its number; see `rows_of`.  OSError when it cannot be read."""
    return rows_of(path.name, path.read_bytes())


def rows_of(name: str, data: bytes) -> Iterator[tuple[int, object | Rejection]]:
    """The rows of a file's bytes, in their order, each with its line or position from 1.

    JSON (a list, an object, an object around a list), JSON lines or CSV, told by the content and
    then by the name, or the tiles of jobs on a web page; UTF-8, or UTF-16 and -32 with their mark;
    gzip by its first bytes.  A row that cannot be read is a Rejection, and so is all that follows
    the 200,000th.  An empty file has no rows.  Raises BotWall, when the first row is asked for,
    for what keeps robots or visitors out: a page, a message, or JSON that holds nothing but these.
    """
    data, complaint = _unpacked(data)
    text = _decoded(data).strip("\ufeff \t\r\n\0")
    if text:
        rows = _rows(name.lower().removesuffix(".gz"), text)
        yield from islice(rows, MOST_ROWS)
        if (more := next(rows, None)) is not None:
            yield more[0], Rejection(f"more than {MOST_ROWS:,} rows", "file")
    if complaint:
        yield 0, complaint


def _rows(name: str, text: str) -> Iterator[tuple[int, object | Rejection]]:
    if text.startswith("<"):
        tiles = list(tile_rows(text))
        if not tiles and (wall := wall_instead(text)):
            raise wall
        what = "a web page" if is_page(text) else "markup"
        scrap = Scrap.cut("html", text)
        none = Rejection(f"{what} without jobs, neither JSON nor CSV", "file", scrap)
        yield from tiles or [(1, none)]
    elif text[0] not in "[{" and (wall := _message(text)):
        raise wall
    elif text[0] in "[{" or name.endswith(_JSON_NAMES):
        yield from _not_all_walls(json_rows(text))
    else:
        yield from csv_rows(text)


def read_scrap(form: Form, text: str) -> Iterator[object | Rejection]:
    """The rows of a text that could not be read before, as a file of its form has them."""
    read: Iterator[tuple[int, object]] = {"json": json_rows, "csv": csv_rows, "html": tile_rows}[
        form
    ](text.strip("\ufeff \t\r\n\0"))
    return (row for _, row in islice(read, MOST_ROWS))


def _message(text: str) -> BotWall | None:
    """The wall a short text stands for; one whose first line names columns is a table."""
    if len(text) > _LONGEST_MESSAGE:
        return None
    names = re.split(r"[,;\t|]", text.partition("\n")[0])
    return None if has_title(dict.fromkeys(names, "x")) else wall_in(text)


def _not_all_walls(
    rows: Iterator[tuple[int, object]],
) -> Iterator[tuple[int, object | Rejection]]:
    """The rows; BotWall when there are some and each of the first is a wall, no posting."""
    first = list(islice(rows, _PROBED))
    walls = [
        wall_in(row) if isinstance(row, str | Mapping) and not _is_posting(row) else None
        for _, row in first
    ]
    if walls and all(walls) and len(first) < _PROBED and walls[0]:
        raise walls[0]
    yield from first
    yield from rows


def _is_posting(row: str | Mapping[object, object]) -> bool:
    return isinstance(row, Mapping) and has_title(row)


def _unpacked(data: bytes) -> tuple[bytes, Rejection | None]:
    """The bytes without gzip, as far as they can be had, and what is wrong with the rest."""
    if not data.startswith(_GZIP):
        return data, None
    unpacked = bytearray()
    left = memoryview(data)
    for _ in range(_MOST_MEMBERS):
        if bytes(left[:2]) != _GZIP:
            return bytes(unpacked), None
        try:
            left, complaint = _member(left, unpacked)
        except zlib.error:
            complaint = "broken gzip"
        if complaint:
            return bytes(unpacked), Rejection(complaint, "file")
    return bytes(unpacked), Rejection(f"more than {_MOST_MEMBERS:,} parts in gzip", "file")


def _member(packed: memoryview, unpacked: bytearray) -> tuple[memoryview, str]:
    """Unpack one member of a gzip file; what follows it, and what is wrong with it."""
    member = zlib.decompressobj(wbits=31)
    at = 0
    while not member.eof and at < len(packed):
        chunk = packed[at : at + _CHUNK]
        at += len(chunk)
        fed: bytes | memoryview = chunk
        while not member.eof:
            some = member.decompress(fed, _CHUNK)
            unpacked += some
            if len(unpacked) > LONGEST:
                unpacked.clear()
                return packed[:0], f"more than {LONGEST // 1024**2} MiB after decompression"
            fed = member.unconsumed_tail
            if not fed and len(some) < _CHUNK:
                break
    if not member.eof:
        return packed[:0], "gzip cut short"
    return packed[at - len(member.unused_data) :], ""


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    return data.decode("utf-8", "replace")

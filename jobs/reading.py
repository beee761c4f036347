"""Files of raw rows: JSON, JSON lines and CSV, compressed or not."""

from collections.abc import Iterator
from pathlib import Path

from jobs.rejection import Rejection


class BotWall(Exception):
    """The input is a page that keeps robots or visitors out, not data."""


def read_rows(path: Path) -> Iterator[tuple[int, object | Rejection]]:
    """The rows of a file, each with its number from 1."""
    return rows_of(path.name, path.read_bytes())


def rows_of(name: str, data: bytes) -> Iterator[tuple[int, object | Rejection]]:
    """The rows of a file's bytes, each with its number from 1."""
    raise NotImplementedError

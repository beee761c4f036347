"""A file of postings that something else writes: JSON, JSON lines or CSV, also compressed."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from jobs.postings.reading import LONGEST, rows_of
from jobs.rows import sort_rows
from jobs.sources.base import TRUST, Fetched

_NO_ROWS: Final = " no rows"


@dataclass(frozen=True)
class FileSource:
    """One file, read whole when its content changed.

    The watermark is a hash of the content, and whether it held no rows.  Its text has no period of
    its own: whoever writes the file answers for what stands in it.
    """

    name: str
    path: str
    trust: int = TRUST["file"]
    keeps: timedelta | None = None
    place: str = ""
    backs_off: bool = False

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """The file's postings, or none when it holds what it held at the watermark."""
        try:
            data = _content(Path(self.path))
        except OSError as error:
            return Fetched(state="broken", detail=f"Cannot read the file: {error.strerror}.")
        if data is None:
            most = LONGEST // 1024**2
            return Fetched(state="broken", detail=f"It is no file, or larger than {most} MiB.")
        if not data.strip():
            return Fetched(state="broken", detail="It is empty: not even an empty list.")
        digest = hashlib.sha256(data).hexdigest()
        if digest == watermark:
            return Fetched(state="ok", detail="unchanged", watermark=watermark)
        if watermark == digest + _NO_ROWS:
            return Fetched(state="quiet", detail="unchanged", watermark=watermark)
        rows = [row for _, row in rows_of(self.path, data)]
        read = sort_rows(rows, now)
        if rows and not read.postings:
            none = f"None of its {len(rows)} rows can be read."
            return Fetched(state="broken", detail=none, rejected=read.rejected)
        return Fetched(
            state="ok" if read.postings else "quiet",
            postings=read.postings,
            rejected=read.rejected,
            half_understood=read.half_understood,
            watermark=digest if read.postings else digest + _NO_ROWS,
        )


def _content(path: Path) -> bytes | None:
    """The bytes of a file; None for what would be waited for or read without an end."""
    if not path.is_file() and path.exists():
        return None
    with path.open("rb") as file:
        data = file.read(LONGEST + 1)
    return data if len(data) <= LONGEST else None

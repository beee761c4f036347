"""A file of postings that something else writes: JSON, JSON lines or CSV, also compressed."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from jobs.postings.normalise import Rejection, normalise
from jobs.postings.posting import Posting
from jobs.postings.reading import BotWall, rows_of
from jobs.sources.base import TRUST, Fetched

_NO_ROWS: Final = " no rows"


@dataclass(frozen=True)
class FileSource:
    """One file, read whole when its content changed.

    The watermark is a hash of the content, and whether it held no rows.
    """

    name: str
    path: str
    trust: int = TRUST["file"]
    place: str = ""
    backs_off: bool = False

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """The file's postings, or none when it holds what it held at the watermark."""
        try:
            data = Path(self.path).read_bytes()
        except OSError as error:
            return Fetched(state="broken", detail=f"Cannot read the file: {error.strerror}.")
        if not data.strip():
            return Fetched(state="broken", detail="It is empty: not even an empty list.")
        digest = hashlib.sha256(data).hexdigest()
        if digest == watermark:
            return Fetched(state="ok", detail="unchanged", watermark=watermark)
        if watermark == digest + _NO_ROWS:
            return Fetched(state="quiet", detail="unchanged", watermark=watermark)
        try:
            rows = [row for _, row in rows_of(self.path, data)]
        except BotWall as wall:
            return Fetched(state=wall.state, detail=f"It holds {wall}.")
        read = [row if isinstance(row, Rejection) else normalise(row, now) for row in rows]
        postings = tuple(one for one in read if isinstance(one, Posting))
        if rows and not postings:
            return Fetched(state="broken", detail=f"None of its {len(rows)} rows can be read.")
        return Fetched(
            state="ok" if postings else "quiet",
            postings=postings,
            rejected=tuple(one for one in read if isinstance(one, Rejection)),
            watermark=digest if postings else digest + _NO_ROWS,
        )

"""The sample posts shipped with the project, dated by the minutes before the first look."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from jobs.rows import sort_rows
from jobs.sources.base import TRUST, Fetched

_FILE: Final = Path(__file__).with_name("sample_posts.json")


@dataclass(frozen=True)
class SampleSource:
    """About eighty invented posts of many trades, for development and the demo."""

    name: str = "sample"
    trust: int = TRUST["sample"]
    keeps: timedelta | None = None  # ours
    place: str = ""
    backs_off: bool = False

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """All sample posts, each posted so many minutes before `now` as its row says."""
        rows = json.loads(_FILE.read_text(encoding="utf-8"))
        read = sort_rows((_dated(row, now) for row in rows), now)
        return Fetched(
            state="ok",
            postings=read.postings,
            rejected=read.rejected,
            half_understood=read.half_understood,
            watermark=watermark,
        )


def _dated(row: dict[str, Any], now: datetime) -> dict[str, Any]:
    posted = now - timedelta(minutes=row["posted_minutes_ago"])
    kept = {key: value for key, value in row.items() if key != "posted_minutes_ago"}
    return kept | {"posted_at": posted.replace(second=0, microsecond=0).isoformat()}

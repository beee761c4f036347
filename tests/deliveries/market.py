"""A small market for whole stories: posts in a file, scans and digests over it, an inbox."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from deliveries.digest import digest
from deliveries.scan import scan
from deliveries.summaries import DigestSummary, ScanSummary
from deliveries.work.clock import Clock, database_time
from deliveries.work.wall import Wall
from tests import processes
from tests.processes import post, write_posts
from tests.smtp_server import RecordingSMTP

WISHES: dict[str, Any] = {"words_any": ["django"], "min_score": 0}


@dataclass
class Market:
    """Posts are written as they appear; the clock goes on by itself, from where it was set."""

    folder: Path
    smtp: RecordingSMTP
    settings: Any
    clock: Clock

    def __post_init__(self) -> None:
        self.posts: list[dict[str, Any]] = []
        self.read = 0
        self.show()

    def show(self, *numbers: int, **values: Any) -> None:
        """New posts, without a date unless one is given, beside those that are there."""
        self.posts += [post(number, **values) for number in numbers]
        self.settings.SCOUT_SOURCES = [write_posts(self.folder / "posts.json", self.posts)]

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.clock = Clock(self.clock.offset + timedelta(**span))

    def at(self, moment: datetime) -> None:
        """Set the clock."""
        self.clock = Clock(moment - database_time())

    def scan(self) -> ScanSummary:
        """One scan."""
        return scan(self.clock, Wall(600))

    def digest(self) -> DigestSummary:
        """One digest tick."""
        return digest(self.clock, Wall(600))

    def arrived(self) -> list[tuple[str, tuple[int, ...]]]:
        """Who got which jobs since this was last asked, mail by mail."""
        new = self.smtp.accepted[self.read :]
        self.read += len(new)
        return sorted((who, tuple(sorted(jobs))) for who, _, jobs in processes.inbox(new))


def jobs_of(arrived: Sequence[tuple[str, tuple[int, ...]]]) -> list[int]:
    """Every copy of every job, whoever got it."""
    return sorted(job for _, jobs in arrived for job in jobs)

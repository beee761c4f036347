"""What every source offers."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol

from jobs.postings.normalise import Rejection
from jobs.postings.posting import Posting

State = Literal[
    "ok", "quiet", "blocked", "logged_out", "throttled", "broken", "unauthorised", "off"
]

# When sources differ about one job, the higher one's text wins.
TRUST: Final = {"inbox": 10, "sample": 20, "file": 20, "feed": 20, "apify": 20, "upwork": 30}


class SourceError(Exception):
    """A source is not to be had as configured; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What one look at a source brought.

    `watermark` is where the next look begins; it counts only once the postings are stored.
    """

    state: State
    detail: str = ""
    postings: tuple[Posting, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    watermark: str = field(default="")


class Source(Protocol):
    """A place postings come from."""

    @property
    def name(self) -> str:
        """The name as configured, without its path or secrets."""
        ...

    @property
    def trust(self) -> int:
        """How far its text is trusted; higher wins."""
        ...

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """Look once; trouble is a state, any exception means `broken`."""
        ...

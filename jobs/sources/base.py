"""What every source offers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from jobs.postings.posting import Posting
from jobs.rows import BadRow
from jobs.source_health import State

# When sources differ about one job, the higher one's text wins.
TRUST: Final = {"inbox": 10, "sample": 20, "file": 20, "feed": 20, "apify": 20, "upwork": 30}


class SourceError(Exception):
    """A source is not to be had as configured; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What one look at a source brought.

    `watermark` is where the next look begins; it counts only once the postings are stored, and
    only when the state is a healthy one or `read_whole` says that nothing was left unread.
    `detail` is shown to staff: no secret, no part of an address.  `retry_after`: the seconds for
    which the source asked to be left alone.  `rejected` and `half_understood` rows go into
    quarantine; the postings of the latter are among `postings`.  `fetched_at`: when the oldest of
    it was had, if before this look; licence periods count from it.
    """

    state: State
    detail: str = ""
    postings: tuple[Posting, ...] = ()
    rejected: tuple[BadRow, ...] = ()
    half_understood: tuple[BadRow, ...] = ()
    watermark: str = ""
    retry_after: float | None = None
    fetched_at: datetime | None = None
    read_whole: bool = False


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

    @property
    def keeps(self) -> timedelta | None:
        """How long text and client facts may be kept after a fetch; None: as the retention says."""
        ...

    @property
    def place(self) -> str:
        """A digest of where it looks, or ""; under another one it starts afresh."""
        ...

    @property
    def backs_off(self) -> bool:
        """Whether it is asked less often while in trouble: so it is with what others serve."""
        ...

    def fetch(self, *, now: datetime, watermark: str) -> Fetched:
        """Look once; trouble is a state, as is BotWall; any other exception means `broken`."""
        ...

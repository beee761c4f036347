"""What became of the rows of a source: postings, and those not, or only half, understood."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

from jobs.postings.categories import with_category
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.postings.rejection import Rejection
from jobs.unread import unread

log = logging.getLogger(__name__)

Kind = Literal["rejected", "half-understood"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row to put into quarantine.

    `raw` is as it came, a Scrap where it is text that could not be read, None where there is not
    even that; `reason` is a sentence that does not quote it; `fetched_at` is what its relative
    times refer to.  `job_id` is the job that was stored of it, "" of a rejected one.
    """

    kind: Kind
    reason: str
    raw: object
    fetched_at: datetime
    job_id: str = ""

    def __str__(self) -> str:
        """The reason."""
        return self.reason


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows by what became of them; a half-understood one is a posting besides."""

    postings: tuple[Posting, ...] = ()
    rejected: tuple[BadRow, ...] = ()
    half_understood: tuple[BadRow, ...] = ()

    @property
    def bad(self) -> tuple[BadRow, ...]:
        """What goes into quarantine."""
        return self.rejected + self.half_understood


def sort_rows(rows: Iterable[object], fetched_at: datetime) -> Rows:
    """Every row through the normaliser; one that breaks it is rejected alone."""
    postings: list[Posting] = []
    bad: dict[Kind, list[BadRow]] = {kind: [] for kind in KINDS}
    for raw in rows:
        posting, row = read_row(raw, fetched_at)
        postings += [posting] if posting else []
        if row:
            bad[row.kind].append(row)
    return Rows(tuple(postings), tuple(bad["rejected"]), tuple(bad["half-understood"]))


def read_row(raw: object, fetched_at: datetime) -> tuple[Posting | None, BadRow | None]:
    """What became of one row: a posting, a row for the quarantine, or, half-understood, both."""
    try:
        found = normalise(raw, fetched_at)
        if isinstance(found, Posting):
            found = with_category(found, raw)
        fields = unread(raw, found) if isinstance(found, Posting) else ()
    except Exception as error:  # noqa: BLE001 -- the boundary between rows
        log.warning("a row broke the normaliser: %s", type(error).__name__)
        found, fields = Rejection(f"the normaliser broke: {type(error).__name__}"), ()
    if isinstance(found, Rejection):
        known = raw.scrap if isinstance(raw, Rejection) else raw
        # Where it stood is told by its text, and would make one reason into thousands.
        reason = found.reason if found.scrap else str(found)
        return None, BadRow(kind="rejected", reason=reason, raw=known, fetched_at=fetched_at)
    if not fields:
        return found, None
    reason = f"could not be read: {', '.join(fields)}"
    return found, BadRow(
        kind="half-understood", reason=reason, raw=raw, fetched_at=fetched_at, job_id=found.id
    )

"""What staff type into a search box: an envelope, a job, or else a part of an address."""

import re
from dataclasses import dataclass
from typing import Final, Self

from jobs.admin.filters import job_id_in

_ENVELOPE: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Term:
    """A search term, understood: at most one of the two is set."""

    envelope: str | None = None
    job_id: str | None = None

    @classmethod
    def of(cls, term: str) -> Self:
        """Understand a term; an empty one for what is neither an envelope nor a job."""
        words = term.strip().lower()
        if _ENVELOPE.fullmatch(words):
            return cls(envelope=words)
        return cls(job_id=job_id_in(term))

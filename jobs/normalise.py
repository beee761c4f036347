"""Raw rows of any source to clean postings."""

from datetime import datetime

from jobs.posting import Posting
from jobs.rejection import Rejection

__all__ = ["Rejection", "normalise"]


def normalise(raw: object, fetched_at: datetime) -> Posting | Rejection:
    """One raw row as a posting, or why it cannot be one; never raises."""
    raise NotImplementedError

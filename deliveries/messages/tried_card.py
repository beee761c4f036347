"""A job that a search was tried on, of which the ledger knows nothing, as a card."""

from dataclasses import fields
from typing import Final

from deliveries.messages.job_card import JobCard
from jobs.postings.posting import Posting
from jobs.preview import Shown

_SAID: Final = {each.name for each in fields(Posting)} & {each.name for each in fields(JobCard)}


def card_of(tried: Shown, search_name: str = "") -> JobCard:
    """What may be said of it; `search_name` is "" where it goes without saying."""
    return JobCard(
        job_id=tried.posting.id,
        score=tried.score,
        reasons=tried.reasons,
        concerns=tried.concerns,
        search_name=search_name,
        **{name: getattr(tried.posting, name) for name in _SAID},
    )

"""What exists, where it came from, and how well it fits whom."""

from jobs.models.ai import AiCall, AiSpending, AwaitedVerdict
from jobs.models.exchange import ExchangeRates
from jobs.models.inbox import InboxMessage, InboxSender
from jobs.models.job import Job
from jobs.models.prepared_search import PreparedSearch
from jobs.models.quarantined import QuarantinedRow
from jobs.models.source_state import SourceState
from jobs.models.taste import Taste, Thumb
from jobs.models.verdict import Verdict
from jobs.models.watermark import Watermark

__all__ = [
    "AiCall",
    "AiSpending",
    "AwaitedVerdict",
    "ExchangeRates",
    "InboxMessage",
    "InboxSender",
    "Job",
    "PreparedSearch",
    "QuarantinedRow",
    "SourceState",
    "Taste",
    "Thumb",
    "Verdict",
    "Watermark",
]

"""What a scan and a digest report: the same keys every time."""

from dataclasses import asdict, dataclass, field
from typing import Any

from jobs.source_health import HEALTHY


@dataclass
class ScanSummary:
    """One scan in numbers; rows, pairs or mails as each name says, seconds by the wall clock."""

    skipped: str | None = None
    fetched: int = 0
    new_jobs: int = 0
    candidates: int = 0
    verdicts: int = 0
    ai_calls: int = 0
    ai_usd: float = 0.0
    ai_reason: str | None = None
    queued: int = 0
    mails_sent: int = 0
    jobs_sent: int = 0
    failed: int = 0
    unconfirmed: int = 0
    expired: int = 0
    rejected: int = 0
    errors: int = 0
    users_done: int = 0
    users_left: int = 0
    seconds: float = 0.0
    sources: dict[str, str] = field(default_factory=dict)
    mail: str = "ok"

    @property
    def healthy(self) -> bool:
        """Whether the sources and the mail provider are well."""
        return self.mail == "ok" and all(s in HEALTHY for s in self.sources.values())

    def as_json(self) -> dict[str, Any]:
        """Every key, always."""
        return asdict(self)


@dataclass
class DigestSummary:
    """One digest tick in numbers; `due` counts users, the rest as in a scan."""

    due: int = 0
    mails_sent: int = 0
    jobs_sent: int = 0
    expired: int = 0
    failed: int = 0
    unconfirmed: int = 0
    errors: int = 0
    users_left: int = 0
    seconds: float = 0.0
    mail: str = "ok"

    @property
    def healthy(self) -> bool:
        """Whether the mail provider is well."""
        return self.mail == "ok"

    def as_json(self) -> dict[str, Any]:
        """Every key, always."""
        return asdict(self)

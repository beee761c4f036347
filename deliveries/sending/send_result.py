"""What every way of sending promises, and what it answers."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Evidence, Outcome, classify, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class SendResult:
    """What came of one attempt.

    `error` is one line for people, without addresses, "" when accepted; `retry_after` the seconds
    a provider asked us to wait; `evidence` the facts `outcome` was decided from.
    """

    outcome: Outcome
    provider_id: str
    error: str
    retry_after: float | None
    evidence: Evidence


class Transport:
    """Sends one message at a time.  `send_limit`: the seconds `open` or `send` takes at most."""

    def __init__(self, send_limit: float) -> None:
        """Contact nobody yet."""
        self.send_limit = send_limit

    def open(self) -> SendResult | None:
        """Make ready to send, before anything is claimed.  None when ready; never raises."""
        raise NotImplementedError

    def send(self, mail: StoredMail) -> SendResult:
        """Send one mail.  Raises nothing but what is no Exception (a kill on its way)."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the connection.  Never raises; may be called at any time."""

    def __enter__(self) -> Self:
        """Return the transport, not yet opened."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()


def result_of(evidence: Evidence, *, hide: str = "", provider_id: str = "") -> SendResult:
    """The result `evidence` amounts to; `hide` (the recipient) is kept out of its `error`."""
    outcome = classify(evidence)
    return SendResult(
        outcome=outcome,
        provider_id=provider_id,
        error="" if outcome == Outcome.ACCEPTED else one_line(_words(evidence), hide=hide),
        retry_after=evidence.retry_after,
        evidence=evidence,
    )


def _words(evidence: Evidence) -> str:
    code = evidence.smtp_code if evidence.smtp_code is not None else evidence.http_status
    said = evidence.kind if code is None else str(code)
    return f"{evidence.phase}: {said}{', timed out' if evidence.timed_out else ''}: {evidence.text}"

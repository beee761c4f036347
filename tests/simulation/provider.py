"""A mail provider that remembers what it accepted, whatever becomes of our transactions.

It stands where a transport stands, so that every class of the failure table can be had at will;
that real servers' answers land in those classes is shown by the tests of the failure table.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Final
from unittest import mock

from deliveries.messages.stored_mail import StoredMail
from deliveries.sending.failures import Evidence, Kind, Phase
from deliveries.sending.send_result import SendResult, Transport, result_of
from tests.processes import read
from tests.smtp_faults import Accepted

# What a send may come to: the class of the failure table, and whether the mail was taken.
ANSWERS: Final[dict[str, tuple[Evidence, bool]]] = {
    "accepted": (Evidence(phase=Phase.HTTP, kind=Kind.TAKEN), True),
    "accepted with junk": (Evidence(phase=Phase.HTTP, http_status=200), True),
    "accepted, then silent": (
        Evidence(phase=Phase.CONTENT, kind=Kind.BROKEN, timed_out=True),
        True,
    ),
    "accepted, then 500": (Evidence(phase=Phase.HTTP, http_status=500), True),
    "silent": (Evidence(phase=Phase.CONTENT, kind=Kind.BROKEN, timed_out=True), False),
    "in flight elsewhere": (Evidence(phase=Phase.HTTP, http_status=409), False),
    "unheard of": (Evidence(phase=Phase.HTTP, kind=Kind.OTHER), False),
    "refused, this person": (Evidence(phase=Phase.RCPT, smtp_code=550), False),
    "refused, everyone": (Evidence(phase=Phase.HTTP, http_status=401), False),
    "refused for now": (Evidence(phase=Phase.CONTENT, smtp_code=451), False),
    "too many": (Evidence(phase=Phase.HTTP, http_status=429, retry_after=900.0), False),
    "nothing left": (Evidence(phase=Phase.HTTP, kind=Kind.CANCELLED), False),
}
# The process dies while sending: before the provider has the mail, or after.
DEATHS: Final = {"killed before it left": False, "killed after it left": True}
OPENING: Final = "cannot be reached"
SENDS: Final = (*ANSWERS, *DEATHS, OPENING)
# After these nobody can know whether an alert left.
UNKNOWN: Final = frozenset(
    {
        "accepted, then silent",
        "accepted, then 500",
        "silent",
        "in flight elsewhere",
        "unheard of",
        *DEATHS,
    }
)


@dataclass(frozen=True, slots=True)
class About:
    """What the ledger says of a mail as it is sent, and which person it is for."""

    kind: str
    day: date | None
    person: int


@dataclass(frozen=True, slots=True)
class Taken:
    """One mail the provider accepted: `order` counts everything it saw; `jobs` are numbers."""

    order: int
    envelope: str
    recipient: str
    about: About
    jobs: tuple[int, ...]
    raw: bytes


@dataclass
class Provider:
    """Answers sends as `answers` says, in order, then accepts; keeps what it took.

    `die` ends the process that sends.  `on_send` is called before a send.
    """

    taken: list[Taken] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    attempts: list[str] = field(default_factory=list)
    die: Callable[[str], None] = lambda _how: None
    on_send: Callable[[StoredMail], About] = lambda _mail: About("alert", None, 0)

    def transport(self) -> Transport:
        """What `transport_from_settings` returns."""
        return _Transport(self)

    def next_answer(self) -> str:
        """What the present step comes to."""
        answer = self.answers.pop(0) if self.answers else "accepted"
        if answer != "accepted":
            self.given.append(answer)
        return answer

    def take(self, mail: StoredMail, about: About) -> None:
        """Keep an accepted mail."""
        seen = read(Accepted(sender=mail.sender, recipients=(mail.recipient,), raw=mail.raw, at=0))
        order, jobs = len(self.taken), tuple(sorted(set(seen.jobs)))
        self.taken.append(Taken(order, mail.envelope, mail.recipient, about, jobs, mail.raw))


class _Transport(Transport):
    def __init__(self, provider: Provider) -> None:
        super().__init__(send_limit=5.0)
        self.provider = provider

    def open(self) -> SendResult | None:
        """Reached, unless the next answer says otherwise."""
        if self.provider.answers[:1] != [OPENING]:
            return None
        self.provider.next_answer()
        return result_of(Evidence(phase=Phase.OPENING, kind=Kind.BROKEN))

    def send(self, mail: StoredMail) -> SendResult:
        """As the next answer says."""
        about = self.provider.on_send(mail)
        self.provider.attempts.append(mail.envelope)
        answer = self.provider.next_answer()
        evidence, taken = ANSWERS.get(answer, (None, DEATHS.get(answer, False)))
        if answer == OPENING:
            evidence = Evidence(phase=Phase.HTTP, kind=Kind.NO_CONNECTION)
        if taken:
            self.provider.take(mail, about)
        if evidence is None:
            self.provider.die(answer)
        assert evidence is not None
        return result_of(evidence, hide=mail.recipient)


@contextmanager
def in_place(provider: Provider) -> Iterator[None]:
    """Every run sends through this provider."""
    with mock.patch("deliveries.sending.post.transport_from_settings", provider.transport):
        yield

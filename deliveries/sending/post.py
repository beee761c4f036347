"""The way out as one run uses it: transport, breaker, wall and clock together."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import TracebackType
from typing import Final, Self

from django.conf import settings

from accounts.boundaries import commit, effect
from accounts.models import User
from deliveries.messages.stored_mail import StoredMail
from deliveries.models import MailProvider
from deliveries.sending.breaker import Breaker
from deliveries.sending.failures import Outcome
from deliveries.sending.send_result import SendResult, Transport
from deliveries.sending.transport import transport_from_settings
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall

log = logging.getLogger(__name__)
SHORTEST_SEND: Final = 5.0  # seconds


@dataclass
class Post:
    """Sends mails one after another, and knows when to stop.

    Use as a context manager: what the breaker learned is kept for the next run.
    """

    wall: Wall
    clock: Clock
    make_transport: Callable[[], Transport] | None = None
    breaker: Breaker = field(init=False)
    _recalled: Breaker = field(init=False)
    _begun_with: Breaker = field(init=False)
    _began: datetime = field(init=False)
    transport: Transport = field(init=False)

    def __enter__(self) -> Self:
        """Recall what the last run learned; nobody is contacted yet."""
        self.transport = (self.make_transport or transport_from_settings)()
        # A short run sends too: but with less than this a slow server's answer would be cut off.
        short = max(SHORTEST_SEND, self.wall.seconds / 4)
        self.transport.send_limit = min(self.transport.send_limit, short)
        self._began = self.clock.now() - timedelta(seconds=self.wall.elapsed)
        self._recalled = _recall(settings.EMAIL_BACKEND)
        self.breaker = self._begun_with = self._recalled.at_start_of_run()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection and keep what was learned."""
        self.transport.close()
        learned = self.breaker is not self._begun_with
        if learned and self.breaker != self._recalled:
            _remember(settings.EMAIL_BACKEND, self.breaker, self.clock.now())

    @property
    def down(self) -> bool:
        """Whether the provider refuses everybody, or could not be reached."""
        return self.breaker.down or not self.breaker.closed_at(self.clock.now())

    @property
    def in_time(self) -> bool:
        """Whether opening and one send still fit before the wall."""
        return self.wall.leaves(2 * self.transport.send_limit)

    def ready(self) -> bool:
        """Whether a mail may be claimed: time for it is left and the provider answers."""
        if not self.in_time or not self.breaker.closed_at(self.clock.now()):
            return False
        with effect("mail: open"):
            trouble = self.transport.open()
        if trouble is not None:
            log.warning("mail cannot be sent: %s", trouble.error)
        outcome = None if trouble is None else trouble.outcome
        error = "" if trouble is None else trouble.error
        self.breaker = self.breaker.after_opening(outcome, error=error)
        return trouble is None

    def send(self, mail: StoredMail, user_id: str) -> tuple[Outcome, SendResult]:
        """Send once; what it means, in view of the sends before it."""
        with effect("mail: send"):
            result = self.transport.send(mail)
        meaning = self.breaker.meaning(result.outcome, user_id)
        # Not the database's clock: a database that fails now must not hide what became of the mail.
        now = self._began + timedelta(seconds=self.wall.elapsed)
        self.breaker = self.breaker.after(
            meaning,
            user_id,
            now=now,
            retry_after=result.retry_after,
            error=result.error,
        )
        if meaning != Outcome.ACCEPTED:
            # Not the server's words, which may quote the mail: they stand with it in the ledger.
            facts = result.evidence
            code = facts.smtp_code if facts.smtp_code is not None else facts.http_status
            where = {"phase": facts.phase, "kind": facts.kind, "code": code}
            log.warning("mail %s: %s", mail.envelope, meaning, extra=where)
        return meaning, result


def close_breaker(name: str, *, now: datetime) -> None:
    """Forget what was learned about a mail provider: the next run tries it as if it were new."""
    _remember(name, Breaker(), now)


def _recall(name: str) -> Breaker:
    row = MailProvider.objects.filter(pk=name).first()
    if row is None:
        return Breaker()
    return Breaker(
        refusals=row.refusals_in_a_row,
        refused_user=row.refused_user_id,
        down=row.down,
        not_before=row.not_before,
        detail=row.detail,
    )


def _remember(name: str, breaker: Breaker, now: datetime) -> None:
    with commit("breaker: remember"):
        # The user first, as in deletion, which waits until this has committed.
        refused = User.objects.select_for_update(no_key=True).filter(pk=breaker.refused_user)
        MailProvider.objects.update_or_create(
            name=name,
            defaults={
                "refusals_in_a_row": breaker.refusals,
                "refused_user": refused.first(),  # deleted meanwhile: None
                "down": breaker.down,
                "not_before": breaker.not_before,
                "detail": breaker.detail[:500],
                "changed_at": now,
            },
        )

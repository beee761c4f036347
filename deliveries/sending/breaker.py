"""The breaker: when one refusal means everybody's, and when to stop trying."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from deliveries import routing
from deliveries.sending.failures import Outcome

TROUBLE_IN_A_ROW: Final = 3
_TROUBLE: Final = (Outcome.REFUSED_NOW, Outcome.UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaker:
    """What is remembered about a mail provider between sends, and between runs.

    `refusals` counts refusals for good in a row, each of another user than the one before;
    `trouble` counts unknown and for-now outcomes in a row within this run.
    """

    refusals: int = 0
    refused_user: str | None = None
    down: bool = False
    trouble: int = 0
    not_before: datetime | None = None
    detail: str = ""

    def closed_at(self, now: datetime) -> bool:
        """Whether mail may be claimed at `now`; a longer wait than any is a wrong clock's."""
        begins = self.not_before
        waiting = begins is not None and now < begins <= now + 2 * routing.LONGEST_WAIT
        return not self.down and not waiting and self.trouble < TROUBLE_IN_A_ROW

    def meaning(self, outcome: Outcome, user_id: str) -> Outcome:
        """The outcome in view of the one before: two people refused in a row is everybody."""
        others = self.refusals > 0 and self.refused_user != user_id
        return Outcome.REFUSED_EVERYONE if outcome == Outcome.REFUSED_PERSON and others else outcome

    def after(
        self,
        outcome: Outcome,
        user_id: str,
        *,
        now: datetime,
        retry_after: float | None,
        error: str,
    ) -> "Breaker":
        """What to remember once a send came to this (already in view of the one before)."""
        asked = routing.asked_wait(retry_after)
        wait = None if asked is None else now + asked
        if outcome == Outcome.ACCEPTED:
            return Breaker()
        if outcome == Outcome.REFUSED_EVERYONE:
            return replace(self, down=True, not_before=wait, detail=error)
        if outcome == Outcome.REFUSED_PERSON:
            return replace(self, refusals=1, refused_user=user_id, trouble=0)
        trouble = self.trouble + (outcome in _TROUBLE)
        return replace(self, trouble=trouble, not_before=wait, detail=error)

    def after_opening(self, outcome: Outcome | None, *, error: str) -> "Breaker":
        """What to remember once opening came to this (None: it is open)."""
        return self if outcome is None else replace(self, down=True, detail=error)

    def at_start_of_run(self) -> "Breaker":
        """A new run tries once more; a provider's wish to wait stands, and the last refusal."""
        return replace(self, down=False, trouble=0)

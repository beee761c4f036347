"""A block's new verdicts by a model, where it may be asked; the local ones everywhere else."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from jobs.ai import awaited
from jobs.ai.awaited import Waiting
from jobs.ai.block import Block
from jobs.ai.calling import Called, call
from jobs.ai.prompt import message_of
from jobs.ai.scorer import Scorer
from jobs.matching import LOCAL, FreshJobs, Key, Match, Matched, UserSearch
from jobs.tasting import examples_of

log = logging.getLogger(__name__)

NO_BUDGET: Final = f"{LOCAL} (no ai budget)"
_EVERYBODY: Final = ""
_TROUBLES_IN_A_ROW: Final = 2
_SHORTEST_CALL: Final = 1.0

PAUSE = time.sleep

Keep = Callable[[Sequence[Match]], int]


@dataclass
class AiJudge:
    """Asks the scorer's model during one scan.

    `left` says how many seconds the model may still be waited for, given how many it was already;
    `gap` how long it takes from one scan to the next.
    `calls`, `usd` and `reason` (why some pairs were not judged by it) go into the scan's summary.
    """

    scorer: Scorer
    left: Callable[[float], float]
    clock: Callable[[], datetime]
    gap: timedelta = timedelta()
    monotonic: Callable[[], float] = time.monotonic
    calls: int = 0
    usd: Decimal = Decimal(0)
    reason: str | None = None
    waited: float = 0.0
    stopped: bool = False
    temperature: bool = True
    in_a_row: int = 0
    tried: set[Key] = field(default_factory=set)
    spent_out: set[str] = field(default_factory=set)

    def judge(
        self,
        matched: Matched,
        searches: Sequence[UserSearch],
        jobs: FreshJobs,
        *,
        waiting: Mapping[Key, Waiting],
        fresh: timedelta,
        keep: Keep,
    ) -> tuple[Matched, int]:
        """The block's verdicts, and how many `keep` stored on the way, a call's at a time.

        A pair on which the model failed, or that it did not come to, has no verdict: it waits,
        committed, for a later scan, or for its local score once it has waited enough.
        """
        block = Block(searches, jobs, waiting, fresh, self.gap, self.clock())
        asked = block.to_ask(matched.new, self.scorer.gate)
        given: dict[Key, Match] = {}
        failed: set[Key] = set()
        kept = 0
        for batch in block.batches(asked):
            for answered in self._batch(block, batch, failed):
                kept += keep(answered)
                given.update({block.key(match): match for match in answered})
        left_over = [match for match in asked if block.key(match) not in given]
        if self.stopped:  # a provider in trouble has failed all whom it was not asked about, too
            failed |= {block.key(match) for match in left_over}
        given.update(block.given_up(left_over, failed))
        still = {block.key(m) for m in left_over} - given.keys()
        owed = [match for match in left_over if block.key(match) in still]
        awaited.keep(block.owed(owed, failed), now=self.clock())
        return block.outcome(matched, given, still), kept

    def _batch(
        self, block: Block, batch: Sequence[Match], failed: set[Key]
    ) -> Iterator[list[Match]]:
        """What comes of these pairs, in one call, or in several where the budget is too small."""
        batch = [match for match in batch if block.key(match) not in self.tried]
        if not batch:
            return
        user = block.searches[batch[0].row].user_id
        if {user, _EVERYBODY} & self.spent_out:
            yield block.local(batch, NO_BUDGET)
            return
        called = self._asked(block, batch)
        if called is None:
            return
        if called.asked:
            keys = {block.key(match) for match in batch}
            self.tried |= keys
            answers = block.answers(batch, called, self.scorer.model.scorer)
            failed |= keys - {block.key(match) for match in answers}
            yield answers
        elif called.unpaid and len(batch) > 1:
            middle = len(batch) // 2
            yield from self._batch(block, batch[:middle], failed)
            yield from self._batch(block, batch[middle:], failed)
        else:
            # Nothing may be spent on it, or its user says no: the local score is the verdict.
            if called.unpaid:
                self.reason = called.unpaid
                self.spent_out.add(_EVERYBODY if called.of_all else user)
            yield block.local(batch, NO_BUDGET if called.unpaid else LOCAL)

    def _asked(self, block: Block, batch: Sequence[Match]) -> Called | None:
        """The call, made once more when the first was in vain; None when it could not be made."""
        called = self._call(block, batch)
        if called is None or not called.asked:
            return called
        again = called.trouble.again if called.trouble else None
        if again is not None and again < self.left(self.waited):
            PAUSE(again)
            self.waited += again
            second = self._call(block, batch)
            if second is not None and second.asked:
                called = second
        self._note(called)
        return called

    def _call(self, block: Block, batch: Sequence[Match]) -> Called | None:
        """The call, within the time there is; None without any."""
        seconds = min(self.scorer.seconds, self.left(self.waited))
        if self.stopped:
            return None
        if seconds < _SHORTEST_CALL:
            self.reason = self.reason or "out of time"
            return None
        search = block.searches[batch[0].row]
        postings = [block.jobs.table.postings[m.col] for m in batch]
        message = message_of(search.terms, postings, examples_of(search.user_id))
        began = self.monotonic()
        called = call(
            self.scorer,
            search.user_id,
            message,
            seconds=seconds,
            clock=self.clock,
            temperature=self.temperature,
        )
        self.waited += self.monotonic() - began
        self.temperature &= not called.refuses_temperature
        if called.asked:
            self.calls += 1
            self.usd += called.cost
        return called

    def _note(self, called: Called) -> None:
        """Learn from a call: a provider in trouble is not asked again and again in one scan."""
        trouble = called.trouble
        if trouble is not None:
            self.reason = trouble.words
            log.warning("verdicts are missing: %s", trouble.words)
        if trouble is None or not trouble.of_provider:
            self.in_a_row = 0
        else:
            self.in_a_row += 1
            self.stopped = trouble.stop or self.in_a_row >= _TROUBLES_IN_A_ROW

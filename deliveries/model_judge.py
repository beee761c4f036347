"""A language model's share in one scan: what it is asked, how long, and what waits for it."""

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta

from deliveries.summaries import ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import verdicts
from jobs.ai import awaited
from jobs.ai.awaited import Waiting
from jobs.ai.configured import configured
from jobs.ai.judging import AiJudge
from jobs.matching import FreshJobs, Key, Match, Matched, UserSearch
from jobs.watermarks import Standing

log = logging.getLogger(__name__)


class ModelJudge:
    """The model of the settings; with none every verdict stays as it is."""

    def __init__(self, clock: Clock, wall: Wall, *, local_only: bool) -> None:
        """Read the settings; wrong ones leave the local score, and the summary says why."""
        self._clock, self._wall = clock, wall
        self._waiting: dict[Key, Waiting] = {}
        self._ai: AiJudge | None = None
        self._wrong: str | None = None
        if local_only:
            return
        try:
            scorer = configured()
        except ValueError as error:
            self._wrong = f"SCOUT_SCORER: {error}"
            log.error("the local scorer judges: %s", error)
            return
        if scorer is not None:
            self._ai = AiJudge(scorer, self._seconds, clock.now)

    def _seconds(self, waited: float) -> float:
        """How long a model may still be waited for: a third of the scan's time in all, and never
        in its last quarter, which is for mail."""
        wall = self._wall
        left = min(wall.seconds / 3 - waited, wall.seconds * 0.75 - wall.elapsed)
        return left if wall.leaves(0) else 0.0

    def stand_back(self, standing: Mapping[str, Standing]) -> dict[str, Standing]:
        """The block's standing, before the jobs that its users still wait for a verdict on.

        Also without a model: one may have been named until yesterday.
        """
        self._waiting = awaited.of(list(standing))
        return awaited.stand_back(standing, self._waiting)

    def judge(
        self,
        matched: Matched,
        searches: Sequence[UserSearch],
        jobs: FreshJobs,
        *,
        fresh: timedelta,
    ) -> tuple[Matched, int]:
        """The verdicts with the model's in place, and how many of them are stored already."""
        if self._ai is None:
            return matched, 0

        def keep(matches: Sequence[Match]) -> int:
            return verdicts.keep(matches, searches, jobs, now=self._clock.now())

        return self._ai.judge(
            matched, searches, jobs, waiting=self._waiting, fresh=fresh, keep=keep
        )

    def forget(self, users: Sequence[str], *, fresh: timedelta) -> None:
        """End the wait of those of the users' pairs that have a verdict by now."""
        if self._waiting:
            awaited.forget(users, now=self._clock.now(), fresh=fresh)

    def tell(self, summary: ScanSummary) -> None:
        """What it came to."""
        summary.ai_reason = self._wrong
        if self._ai is not None:
            summary.ai_calls, summary.ai_usd = self._ai.calls, float(self._ai.usd)
            summary.ai_reason = self._ai.reason

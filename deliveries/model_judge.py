"""A language model's share in one scan: what it is asked, how long, and what waits for it."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final

from deliveries import ledger, routing
from deliveries.models import Run
from deliveries.summaries import ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import verdicts
from jobs.ai import awaited
from jobs.ai.awaited import Late, Waiting
from jobs.ai.bounding import usual_gap
from jobs.ai.configured import configured
from jobs.ai.judging import AiJudge
from jobs.matching import FreshJobs, Key, Match, Matched, UserSearch
from jobs.models import Verdict
from jobs.watermarks import Standing

log = logging.getLogger(__name__)

_MOST_RUNS: Final = 500


class ModelJudge:
    """The model of the settings; with none every verdict stays as it is."""

    def __init__(self, clock: Clock, wall: Wall, *, local_only: bool) -> None:
        """Read the settings; wrong ones leave the local score, and the summary says why."""
        self._clock, self._wall = clock, wall
        self._waiting: dict[Key, Waiting] = {}
        self._ai: AiJudge | None = None
        self._wrong: str | None = None
        self._late_verdicts = self._late_rows = 0
        self._swept = ledger.Swept()
        # Also without a model: one may have been named until yesterday.
        self._any_wait = awaited.are_any()
        if local_only:
            return
        try:
            scorer = configured()
        except ValueError as error:
            self._wrong = f"SCOUT_SCORER: {error}"
            log.error("the local scorer judges: %s", error)
            return
        if scorer is not None:
            gap = usual_gap(_scans_begun(), clock.now())
            self._ai = AiJudge(scorer, self._seconds, clock.now, gap)

    def _seconds(self, waited: float) -> float:
        """How long a model may still be waited for: a third of the scan's time in all, and never
        in its last quarter, which is for mail."""
        wall = self._wall
        left = min(wall.seconds / 3 - waited, wall.seconds * 0.75 - wall.elapsed)
        return left if wall.leaves(0) else 0.0

    def stand_back(self, standing: Mapping[str, Standing]) -> dict[str, Standing]:
        """The block's standing, before the jobs that its users still wait for a verdict on."""
        asked = self._ai is not None or self._any_wait
        self._waiting = awaited.of(list(standing)) if asked else {}
        return awaited.stand_back(standing, self._waiting)

    def end_waits(self, users: Sequence[str], *, fresh: timedelta) -> None:
        """Give those of the users' pairs whose time ran out between two scans their local verdicts.

        Their ledger rows are of the day on which they would have been queued: what is too old for
        its mail by the ledger's rules expires at once, with its reason.
        """
        if not self._waiting:
            return
        now = self._clock.now()
        late = awaited.late(users, now=now)
        rows = [{**one.local, "user_id": one.user_id, "job_id": one.job_id} for one in late]
        self._late_verdicts += verdicts.store(rows, now=now)
        for since, due in groupby(_due(late), itemgetter(0)):
            queued = ledger.record([row for _, row in due], now=since)
            self._late_rows += len(queued)
            if now - since > routing.DAILY_LIFE:
                self._swept += ledger.Swept(expired=ledger.expire(sorted(queued), "stale", now=now))
        if late:
            self._swept += ledger.sweep(now=now, fresh=fresh)

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
        summary.verdicts += self._late_verdicts
        summary.queued += self._late_rows
        summary.expired += self._swept.expired
        summary.unconfirmed += self._swept.unconfirmed
        if self._ai is not None:
            summary.ai_calls, summary.ai_usd = self._ai.calls, float(self._ai.usd)
            summary.ai_reason = self._ai.reason


def _scans_begun() -> list[datetime]:
    """When the latest finished scans began."""
    finished = Run.objects.filter(kind="scan", finished_at__isnull=False)
    return list(finished.order_by("-started_at").values_list("started_at", flat=True)[:_MOST_RUNS])


def _due(late: Sequence[Late]) -> Iterator[tuple[datetime, ledger.NewRow]]:
    """Ledger rows of those whose verdict, which may be another worker's, reaches the threshold, and
    since when each pair waited; in the same order."""
    ids = [f"{one.user_id}_{one.job_id}" for one in late]
    scores = dict(Verdict.objects.filter(pk__in=ids).values_list("pk", "score"))
    for id_, one in zip(ids, late, strict=True):
        threshold, score = one.local["threshold"], scores.get(id_)
        if score is not None and score >= threshold:
            title = one.local["title"] or one.title
            yield (
                one.since,
                ledger.NewRow(
                    user_id=one.user_id,
                    job_id=one.job_id,
                    score=score,
                    threshold=threshold,
                    title=title,
                ),
            )

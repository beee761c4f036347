"""One block of users and jobs, seen as what a model is to be asked, and what comes of it."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.models import Preferences
from jobs.ai.awaited import Owed, Waiting
from jobs.ai.bounding import MOST_TRIES, bounded, is_over
from jobs.ai.calling import Called
from jobs.ai.pricing import counts, shares
from jobs.ai.prompt import MOST_JOBS, PROMPT_VERSION
from jobs.ai.reading import Opinion
from jobs.matching import LOCAL, Author, FreshJobs, Key, Match, Matched, UserSearch
from jobs.scoring import Score
from jobs.scoring.parts import MODEL, START, with_part
from jobs.verdicts import as_row

AFTER_AI: Final = f"{LOCAL} (after ai)"


def allowing(users: Collection[str]) -> set[str]:
    """Those of the users whose posts and searches a provider may see."""
    rows = Preferences.objects.filter(user_id__in=users, ai_allowed=True)
    return set(rows.values_list("user_id", flat=True)) if users else set()


@dataclass(frozen=True)
class Block:
    """What `jobs.matching.match` was given, which pairs wait since when, how long it takes from one
    scan to the next, and the time."""

    searches: Sequence[UserSearch]
    jobs: FreshJobs
    waiting: Mapping[Key, Waiting]
    fresh: timedelta
    gap: timedelta
    now: datetime

    def key(self, match: Match) -> Key:
        """The user and the job of a pair."""
        return self.searches[match.row].user_id, self.jobs.ids[match.col]

    def to_ask(self, new: Sequence[Match], gate: int) -> list[Match]:
        """Pairs of people who allow it whose local score reaches the gate, best first."""
        above = [match for match in new if match.score >= gate]
        allow = allowing({self.searches[match.row].user_id for match in above})
        asked = [match for match in above if self.searches[match.row].user_id in allow]
        return sorted(asked, key=lambda match: (-match.score, self.key(match)))

    def batches(self, asked: Sequence[Match]) -> Iterator[list[Match]]:
        """Up to MOST_JOBS pairs of one search at a time; the one with the best pair first."""
        of_row: defaultdict[int | Key, list[Match]] = defaultdict(list)
        for match in asked:
            key, before = self.key(match), self.waiting.get(self.key(match))
            # One post may have spoilt the answer for all: the last time each is asked about alone.
            alone = before is not None and before.tries >= MOST_TRIES - 1
            of_row[key if alone else match.row].append(match)
        batches = [
            found[at : at + MOST_JOBS]
            for found in of_row.values()
            for at in range(0, len(found), MOST_JOBS)
        ]
        yield from sorted(batches, key=lambda batch: -batch[0].score)

    def answers(self, batch: Sequence[Match], called: Called, scorer: str) -> list[Match]:
        """The verdicts of a call; each has an equal share of what it cost."""
        found = [(m, called.opinions[id_]) for m, id_ in _by_id(batch) if id_ in called.opinions]
        if not found:
            return []
        cost = shares(called.cost, len(found))
        tokens_in, tokens_out = (
            counts(n, len(found)) for n in (called.tokens_in, called.tokens_out)
        )
        return [
            _judged(match, opinion, Author(scorer, PROMPT_VERSION, *used))
            for (match, opinion), used in zip(
                found, zip(tokens_in, tokens_out, cost, strict=True), strict=True
            )
        ]

    def local(self, batch: Sequence[Match], scorer: str) -> list[Match]:
        """The local verdicts, under the name of this scorer."""
        return [replace(match, author=Author(scorer)) for match in batch]

    def given_up(self, matches: Sequence[Match], failed: Collection[Key]) -> dict[Key, Match]:
        """The local verdicts of those that have waited enough."""
        found = {}
        for match in matches:
            key = self.key(match)
            before = self.waiting.get(key)
            tries = (before.tries if before else 0) + (key in failed)
            since = before.since if before else self.now
            if is_over(tries, since=since, until=self._until(match), gap=self.gap, now=self.now):
                found[key] = replace(match, author=Author(AFTER_AI))
        return found

    def owed(self, matches: Sequence[Match], failed: Collection[Key]) -> list[Owed]:
        """Those that are to wait, with what becomes of them if no model judges them."""
        return [
            Owed(*key, int(key in failed), self._until(match), self._local(match))
            for match in matches
            for key in [self.key(match)]
        ]

    def _local(self, match: Match) -> dict[str, Any]:
        """The local verdict, and what a ledger row needs: nothing else that the post said."""
        search = self.searches[match.row]
        row = as_row(replace(match, author=Author(AFTER_AI)), search, self.jobs, {})
        due = match.score >= search.terms.min_score
        row["threshold"] = search.terms.min_score
        row["title"] = self.jobs.table.postings[match.col].title if due else ""
        return {key: value for key, value in row.items() if key not in ("user_id", "job_id")}

    def _until(self, match: Match) -> datetime:
        """When the job is no longer looked at, by its freshness or by the search."""
        hours = self.searches[match.row].terms.posted_within_hours
        own = self.fresh if hours is None else min(self.fresh, timedelta(hours=hours))
        return self.jobs.dated[match.col] + own

    def outcome(
        self, matched: Matched, given: Mapping[Key, Match], still: Collection[Key]
    ) -> Matched:
        """The block's outcome with these verdicts in place of the local ones."""
        new = [given.get(self.key(m), m) for m in matched.new if self.key(m) not in still]
        known = [match for match in matched.due if match.detail is None]
        due = [m for m in new if m.score >= self.searches[m.row].terms.min_score]
        return replace(matched, new=tuple(new), due=(*due, *known))


def _by_id(batch: Sequence[Match]) -> list[tuple[Match, str]]:
    return [(match, f"j{place}") for place, match in enumerate(batch, 1)]


def _judged(match: Match, opinion: Opinion, author: Author) -> Match:
    """The model's verdict, bounded by the local one; red flags stand first among the concerns."""
    bound = bounded(opinion.score, match.score)
    flags = tuple(f"Red flag: {flag}" for flag in opinion.red_flags)
    parts = match.detail.parts if match.detail else {START.slug: match.score}
    detail = Score(
        score=bound.score,
        reasons=opinion.reasons,
        concerns=flags + opinion.concerns,
        parts=with_part(parts, MODEL, bound.score - match.score),
    )
    return replace(
        match,
        score=bound.score,
        detail=detail,
        author=replace(author, local_score=match.score, needs_review=bound.needs_review),
    )

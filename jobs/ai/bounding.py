"""How far a model's word counts: bounded by the local score, and waited for only so long."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final

# An answer that obeys a post instead of judging it lifts no job further than this.
MOST_ABOVE: Final = 40
MOST_TRIES: Final = 3
LONGEST_WAIT: Final = timedelta(hours=2)
# So long before nobody would be told of the job any more, the local score has to do: or longer,
# when the next scan is not expected before.
_IN_TIME: Final = timedelta(hours=1)
_LATE_SCAN: Final = 1.25
_HABIT: Final = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A score, and whether it was cut and somebody should look."""

    score: int
    needs_review: bool


def bounded(score: int, local: int) -> Bounded:
    """A model's score, at most MOST_ABOVE above the local one."""
    most = local + MOST_ABOVE
    return Bounded(min(score, most), score > most)


def is_over(tries: int, *, since: datetime, until: datetime, gap: timedelta, now: datetime) -> bool:
    """Whether a pair has waited enough for a model: after `tries` failures, `since` the first look,
    for a job that can be mailed `until` then, with a scan every `gap`."""
    last = until - max(_IN_TIME, gap * _LATE_SCAN)
    return tries >= MOST_TRIES or now - since >= LONGEST_WAIT or now >= last


def usual_gap(begun: Iterable[datetime], now: datetime) -> timedelta:
    """How long after this scan, of `now`, the next is to be expected, as earlier ones have begun.

    The longest gap but one of three days, since one long stop is no habit; with a single gap, that;
    zero when no scan was before.
    """
    latest = sorted((at for at in begun if at <= now), reverse=True)
    recent = [now, *latest[:1], *(at for at in latest[1:] if now - at <= _HABIT)]
    gaps = sorted((after - before for after, before in pairwise(recent)), reverse=True)
    return gaps[min(1, len(gaps) - 1)] if gaps else timedelta()

"""How far a model's word counts: bounded by the local score, and waited for only so long."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

# An answer that obeys a post instead of judging it lifts no job further than this.
MOST_ABOVE: Final = 40
MOST_TRIES: Final = 3
LONGEST_WAIT: Final = timedelta(hours=2)
# So much before nobody would be told of the job any more, the local score has to do.
_IN_TIME: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bounded:
    """A score, and whether it was cut and somebody should look."""

    score: int
    needs_review: bool


def bounded(score: int, local: int) -> Bounded:
    """A model's score, at most MOST_ABOVE above the local one."""
    most = local + MOST_ABOVE
    return Bounded(min(score, most), score > most)


def is_over(tries: int, *, since: datetime, until: datetime, now: datetime) -> bool:
    """Whether a pair has waited enough for a model: after `tries` failures, `since` the first look,
    for a job that can be mailed `until` then."""
    return tries >= MOST_TRIES or now - since >= LONGEST_WAIT or now >= until - _IN_TIME

"""How a source is doing, told from one look to the next: its state, and when it is asked again."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

State = Literal[
    "ok", "quiet", "blocked", "logged_out", "throttled", "broken", "unauthorised", "off"
]
STATES: Final[tuple[State, ...]] = get_args(State)
HEALTHY: Final[tuple[State, ...]] = ("ok", "quiet", "off")
# Asking again changes nothing here: somebody has to log in, or to correct what is configured.
FOR_THE_OPERATOR: Final[tuple[State, ...]] = ("logged_out", "unauthorised")

QUIET_AFTER: Final = timedelta(hours=24)
FIRST_WAIT: Final = timedelta(minutes=15)
LONGEST_WAIT: Final = timedelta(hours=6)
LONGEST_ASKED_FOR: Final = timedelta(hours=24)
_TICK_MAY_BE_EARLY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """One source so far; `since` is when it was first looked at where it looks now."""

    since: datetime
    state: State = "off"
    succeeded_at: datetime | None = None
    new_job_at: datetime | None = None
    failures: int = 0
    next_look_at: datetime | None = None


def after(
    before: Health,
    outcome: State,
    *,
    now: datetime,
    new: int,
    retry_after: float | None = None,
    backs_off: bool = True,
) -> Health:
    """The health after one more look that ended so and brought `new` jobs not known before.

    A source that is well and has brought nothing new for a day is `quiet`.  One in trouble is
    asked again after 15 minutes, 30, an hour and so on up to six, or when it asked for more
    (`retry_after`, seconds, at most a day); one that does not back off, at the next look.
    """
    newest = now if new else before.new_job_at
    if outcome in HEALTHY:
        silent = now - (newest or before.since) >= QUIET_AFTER
        state: State = "quiet" if outcome == "ok" and silent else outcome
        well = replace(before, state=state, succeeded_at=now, failures=0)
        return replace(well, new_job_at=newest, next_look_at=None)
    failures = before.failures + 1
    return replace(
        before,
        state=outcome,
        new_job_at=newest,
        failures=failures,
        next_look_at=now + _wait(failures, retry_after) if backs_off else None,
    )


def is_due(next_look_at: datetime | None, *, now: datetime) -> bool:
    """Whether to look now; a moment further off than any wait was set by a wrong clock."""
    return next_look_at is None or not now < next_look_at <= now + LONGEST_ASKED_FOR


def _wait(failures: int, retry_after: float | None) -> timedelta:
    doubled = FIRST_WAIT * (1 << min(failures - 1, 10))
    wait = min(doubled, LONGEST_WAIT) - _TICK_MAY_BE_EARLY
    asked = min(timedelta(seconds=min(retry_after or 0, 1e6)), LONGEST_ASKED_FOR)
    return max(wait, asked)

"""What an answer of a provider means before its body is read: for the call, the scan, the money."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.retry_after import seconds_asked

# As long as this is waited inside a scan when the provider asks for it.
MOST_PATIENCE: Final = 5.0
PATIENCE: Final = 1.0
# No work was done for these; other answers above 400 may come from a proxy in front of work.
_FREE_ABOVE_500: Final = frozenset({500, 501, 503, 529})
_FOR_THE_OPERATOR: Final = frozenset({401, 402, 403, 404, 407})


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why there is no verdict.

    `again`: seconds after which the same may be asked once more, None for not in this scan.
    `stop`: nobody else need be asked in this scan.  `may_cost`: it may have been charged for.
    `of_provider`: it would meet other posts as well, so that one post cannot stop the rest.
    """

    words: str
    again: float | None = None
    stop: bool = False
    may_cost: bool = False
    of_provider: bool = True


def trouble_in(status: int, retry_after: str, *, now: datetime) -> Trouble | None:
    """The trouble a status tells of; None for 2xx."""
    if 200 <= status < 300:
        return None
    if status in _FOR_THE_OPERATOR:
        return Trouble(f"it refuses ({status}): correct SCOUT_SCORER or its key", stop=True)
    if status < 400:
        return Trouble(f"it answers {status} and leads elsewhere", stop=True)
    wait = seconds_asked(retry_after, since=now)
    if status == 429:
        return _patient(f"it asks to be left alone for a while ({status})", wait)
    if status >= 500:
        may_cost = status not in _FREE_ABOVE_500
        return _patient(f"it is in trouble ({status})", wait, may_cost=may_cost)
    return Trouble(f"it refuses the request ({status})", may_cost=status == 408)


def _patient(words: str, wait: float | None, *, may_cost: bool = False) -> Trouble:
    """Again after the time asked for, when that is short; else not in this scan."""
    if wait is not None and wait > MOST_PATIENCE:
        return Trouble(words, stop=True, may_cost=may_cost)
    return Trouble(words, again=PATIENCE if wait is None else wait, may_cost=may_cost)

"""Whether work is being done: told from our own tables, since a frozen worker looks alive."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

LONGEST_WAIT: Final = timedelta(minutes=5)
LONGEST_SILENCE: Final = timedelta(minutes=35)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What there is to tell it from; None: nothing waits, or no scan has ever finished."""

    now: datetime
    oldest_waiting: datetime | None
    last_scan: datetime | None


def trouble(signs: Signs) -> str | None:
    """Why work is not being done, in one sentence without names; None while it is.

    Before the first finished scan silence is no trouble: nobody may have started one yet.
    """
    if signs.oldest_waiting and signs.now - signs.oldest_waiting > LONGEST_WAIT:
        return f"a task has waited for {_minutes(signs.now - signs.oldest_waiting)} minutes"
    if signs.last_scan and signs.now - signs.last_scan > LONGEST_SILENCE:
        return f"the last scan finished {_minutes(signs.now - signs.last_scan)} minutes ago"
    return None


def _minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)

"""How the sources of jobs did while somebody waited, in words for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection

from jobs.source_health import HEALTHY

# What each scan noted of each source; one that is not asked again yet keeps its state.
_NOTED: Final = """
SELECT s.key, s.value, count(*)
FROM deliveries_run r, jsonb_each_text(r.summary -> 'sources') s
WHERE r.kind = 'scan' AND r.finished_at IS NOT NULL AND r.started_at BETWEEN %(begin)s AND %(now)s
GROUP BY 1, 2 ORDER BY 1, 2
"""
_SCANS: Final = """
SELECT count(*) FROM deliveries_run
WHERE kind = 'scan' AND finished_at IS NOT NULL AND started_at BETWEEN %(begin)s AND %(now)s
"""
_WORTH_TELLING: Final = timedelta(hours=6)
_HOUR: Final = timedelta(hours=1)
_WHAT: Final = {
    "blocked": "did not let us in",
    "logged_out": "asked us to sign in anew",
    "throttled": "asked us to come less often",
    "broken": "could not be read",
    "unauthorised": "refused us",
}


@dataclass(frozen=True, slots=True)
class SourceWeek:
    """Of how many scans each of one source's states was noted, by its state."""

    states: Mapping[str, int]

    @property
    def share_in_trouble(self) -> float:
        """From 0 to 1."""
        bad = sum(count for state, count in self.states.items() if state not in HEALTHY)
        return bad / sum(self.states.values())

    @property
    def worst(self) -> str:
        """The trouble it was in most often."""
        bad = {state: n for state, n in self.states.items() if state not in HEALTHY}
        return max(bad, key=lambda state: (bad[state], state))


def source_troubles(*, begin: datetime, now: datetime) -> tuple[str, ...]:
    """What kept jobs from reaching us in this span: sentences without names or internals."""
    params: dict[str, Any] = {"begin": begin, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(_SCANS, params)
        [scans] = cursor.fetchone()
        cursor.execute(_NOTED, params)
        noted = cursor.fetchall()
    states: dict[str, dict[str, int]] = {}
    for source, state, count in noted:
        states.setdefault(source, {})[state] = count
    return in_words([SourceWeek(of) for of in states.values()], scans=scans, span=now - begin)


def in_words(sources: Sequence[SourceWeek], *, scans: int, span: timedelta) -> tuple[str, ...]:
    """A sentence for each source that was in trouble for six hours or more, the worst first."""
    if not scans:
        return ("We did not look for new jobs in this time: that is our fault, not your search's.",)
    lame = sorted(sources, key=lambda source: -source.share_in_trouble)
    which = "Our source of jobs" if len(sources) == 1 else "One of our sources of jobs"
    return tuple(
        f"{which} {_WHAT[source.worst]} {_how_long(source.share_in_trouble, span)}:"
        " posts from there may be missing."
        for source in lame
        if source.share_in_trouble * span >= _WORTH_TELLING
    )


def _how_long(share: float, span: timedelta) -> str:
    hours = round(share * span / _HOUR)
    if share > 0.95:  # all of it, but for a look or two
        return "all this time"
    return f"for about {hours} hours" if hours < 36 else f"for about {round(hours / 24)} days"

"""Storing postings: every job once, first seen kept for ever."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import DataError, IntegrityError, connection

from accounts.boundaries import commit
from jobs.fingerprints import fingerprint
from jobs.licence import GOES
from jobs.postings.posting import Posting
from jobs.text.detecting import written_in

_CHUNK: Final = 5_000

_COLUMNS: Final = {
    "url": "text",
    "title": "text",
    "description": "text",
    "skills": "text[]",
    "job_type": "text",
    "hourly_min": "numeric",
    "hourly_max": "numeric",
    "fixed_budget": "numeric",
    "currency": "text",
    "experience_level": "text",
    "duration": "text",
    "client_country": "text",
    "client_spent": "numeric",
    "client_hires": "int",
    "client_hire_rate": "numeric",
    "client_payment_verified": "boolean",
    "client_rating": "numeric",
    "proposals": "int",
    "posted_at": "timestamptz",
    "posted_at_estimated": "boolean",
    "category": "text",
    "worker_countries": "text[]",
    "language": "text",
}


# A re-dated post keeps its first date, but for one that a better source knows: else whoever may
# send to the inbox could make any job too old for everybody.
_IS_DATED_ANEW: Final = """EXCLUDED.posted_at IS NOT NULL AND (job.posted_at IS NULL
      OR EXCLUDED.posted_at < job.posted_at OR EXCLUDED.trust > job.trust)"""


def _merged(column: str) -> str:
    """What a newer posting does to a column: it says more, or it changes nothing."""
    new, old = f"EXCLUDED.{column}", f"job.{column}"
    if column in ("posted_at", "posted_at_estimated"):
        return f"CASE WHEN {_IS_DATED_ANEW} THEN {new} ELSE {old} END"
    if column in ("url", "title", "description"):
        return f"COALESCE(NULLIF({new}, ''), {old})"
    if column in ("skills", "worker_countries"):
        return f"CASE WHEN {new} = '{{}}' THEN {old} ELSE {new} END"
    if column == "language":  # of the text that is kept, as the fingerprint
        return f"CASE WHEN EXCLUDED.description = '' THEN {old} ELSE {new} END"
    return f"COALESCE({new}, {old})"


# The fingerprint of the text that is kept: what has no description does not replace one.
_KEPT_PRINT: Final = "CASE WHEN EXCLUDED.description = '' THEN job.{0} ELSE EXCLUDED.{0} END"

_NAMES: Final = ", ".join(_COLUMNS)
_SAID: Final = [name for name in _COLUMNS if name != "language"]  # it follows from the text
_CHANGED: Final = f"""({", ".join(f"job.{name}" for name in _SAID)}) IS DISTINCT FROM
      ({", ".join(_merged(name) for name in _SAID)})"""
# Nothing that only an older fetch said is left in the row: its period is that of the new one.
_ANEW: Final = f"""({", ".join(f"EXCLUDED.{name}" for name in GOES)}) IS NOT DISTINCT FROM
      ({", ".join(_merged(name) for name in GOES)})"""
# Renewed when half of a period is over: not at every look.  One from the future was set by a clock
# that was wrong.
_RENEWED: Final = """job.text_until IS NOT NULL AND (EXCLUDED.text_until IS NULL
      OR job.text_until NOT BETWEEN %(now)s + (EXCLUDED.text_until - %(now)s) / 2
                                AND EXCLUDED.text_until)"""
_UPSERT: Final = f"""
INSERT INTO jobs_job AS job
    (id, {_NAMES}, text_key, text_sketch, first_seen, fetched_at, source, trust,
     text_until)
SELECT id, {_NAMES}, text_key, decode(text_sketch, 'hex'), %(first_seen)s, %(now)s, %(source)s,
    %(trust)s, %(until)s::timestamptz
FROM json_to_recordset(%(rows)s::json)
    AS r(id text, {", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())},
         text_key bigint, text_sketch text)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET
    {", ".join(f"{name} = {_merged(name)}" for name in _COLUMNS)},
    text_key = {_KEPT_PRINT.format("text_key")},
    text_sketch = {_KEPT_PRINT.format("text_sketch")},
    revision = CASE WHEN {_CHANGED} THEN EXCLUDED.revision ELSE job.revision END,
    text_until = CASE WHEN {_ANEW} THEN EXCLUDED.text_until
                      ELSE LEAST(job.text_until, EXCLUDED.text_until) END,
    text_dropped_at = NULL,
    fetched_at = EXCLUDED.fetched_at, source = EXCLUDED.source, trust = EXCLUDED.trust
WHERE EXCLUDED.trust >= job.trust
  AND ({_CHANGED} OR ({_ANEW} AND {_RENEWED}))
RETURNING (xmax = 0)
"""  # noqa: S608 -- column names are our own constants


@dataclass(frozen=True, slots=True)
class Stored:
    """How many jobs were new, and the ids of postings the database refused."""

    new: int = 0
    refused: tuple[str, ...] = ()

    def __add__(self, other: "Stored") -> "Stored":
        return Stored(self.new + other.new, self.refused + other.refused)


def store(
    postings: Iterable[Posting],
    *,
    source: str,
    trust: int,
    now: datetime,
    first_seen: datetime | None = None,
    text_until: datetime | None = None,
) -> Stored:
    """Insert or update the jobs of these postings, in one transaction.

    A less trusted source never overwrites a more trusted one's text; a posting that says less
    never erases what was known; an unchanged one writes nothing.  When an id comes twice, the
    later posting counts.  A posting the database refuses is left out alone.

    `now` is when they were fetched, `first_seen` when for the first time, if before.  `text_until`:
    when the source's licence wants text and client facts gone, None if never.  A row with words of
    two fetches has the earlier end; a fetch that says all of it again renews it.
    """
    rows = [_Row.of(posting) for posting in {p.id: p for p in postings}.values()]
    stored = Stored()
    with commit("jobs: store"):
        params: dict[str, Any] = {
            "now": now,
            "first_seen": first_seen or now,
            "source": source,
            "trust": trust,
            "until": text_until,
        }
        upsert = partial(_upsert, params=params)
        in_order()
        for start in range(0, len(rows), _CHUNK):
            stored += _each_that_fits(rows[start : start + _CHUNK], upsert)
    return stored


@dataclass(frozen=True, slots=True)
class _Row:
    """What is stored of a posting, as JSON takes it."""

    id: str
    values: dict[str, Any]

    @classmethod
    def of(cls, posting: Posting) -> "_Row":
        known_by = fingerprint(posting.marketplace, posting.title, posting.description)
        values = {
            **asdict(posting),
            "language": written_in(posting.title, posting.description),
            "text_key": known_by and known_by.key,
            "text_sketch": known_by and known_by.sketch.hex(),
        }
        return cls(posting.id, values)


def in_order() -> None:
    """One at a time until commit, so that no lower revision appears after a higher one was read."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('jobs.store'))")


def _each_that_fits(rows: Sequence[_Row], upsert: Callable[[Sequence[_Row]], int]) -> Stored:
    """Halve what the database refuses until the refused ones stand alone."""
    try:
        with commit("jobs: upsert"):
            return Stored(upsert(rows))
    except (DataError, IntegrityError):
        if len(rows) == 1:
            return Stored(refused=(rows[0].id,))
    middle = len(rows) // 2
    return _each_that_fits(rows[:middle], upsert) + _each_that_fits(rows[middle:], upsert)


def _upsert(rows: Sequence[_Row], *, params: dict[str, Any]) -> int:
    values = json.dumps([row.values for row in rows], default=str)
    with connection.cursor() as cursor:
        cursor.execute(_UPSERT, params | {"rows": values})
        return sum(new for (new,) in cursor.fetchall())

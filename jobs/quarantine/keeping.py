"""Putting rows into quarantine: bounded in size and number, the same one once."""

import json
import logging
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from django.db import DataError, IntegrityError, connection

from accounts.boundaries import commit
from jobs.postings.rejection import LONGEST_SCRAP, Scrap
from jobs.rows import BadRow

log = logging.getLogger(__name__)

LONGEST: Final = LONGEST_SCRAP  # characters of a row, as JSON or as it came; a longer one is cut
MOST_A_LOOK: Final = 200
MOST_A_SOURCE: Final = 1_000  # the ones seen last
LONGEST_REASON: Final = 500

_KEEP: Final = """
INSERT INTO jobs_quarantinedrow AS row (source, trust, kind, reason, job_id, form, raw, whole,
    fingerprint, first_seen, seen_at, fetched_at, until)
SELECT %(source)s, %(trust)s, r.kind, r.reason, r.job_id, r.form, r.raw, r.whole,
    r.fingerprint, %(now)s, %(now)s, r.fetched_at, %(until)s::timestamptz
FROM json_to_recordset(%(rows)s::json) AS r(kind text, reason text, job_id text, form text,
    raw text, whole boolean, fingerprint text, fetched_at timestamptz)
ORDER BY r.fingerprint
ON CONFLICT (source, fingerprint) DO UPDATE SET
    count = row.count + 1, trust = EXCLUDED.trust, kind = EXCLUDED.kind, reason = EXCLUDED.reason,
    job_id = EXCLUDED.job_id, form = EXCLUDED.form, raw = EXCLUDED.raw, whole = EXCLUDED.whole,
    seen_at = EXCLUDED.seen_at, fetched_at = EXCLUDED.fetched_at, until = EXCLUDED.until
WHERE row.seen_at < EXCLUDED.seen_at
"""
_CROP: Final = """
DELETE FROM jobs_quarantinedrow
WHERE id IN (
    SELECT id FROM jobs_quarantinedrow WHERE source = %(source)s
    ORDER BY seen_at DESC, id DESC OFFSET %(most)s FOR UPDATE SKIP LOCKED)
"""


def keep(
    rows: Iterable[BadRow], *, source: str, trust: int, now: datetime, until: datetime | None
) -> int:
    """Keep the rows of one look at a source that are not there yet, and count the others again.

    Of more than MOST_A_LOOK the first ones, rejected ones before others; how many were kept.
    `until`: when the licence of the source wants them gone, None if never.  What the database
    refuses is not kept, and told in the log: the jobs of the look are worth more.
    """
    found: dict[str, dict[str, Any]] = {}
    left = 0
    for row in rows:
        columns = _columns(row)
        left += len(found) >= MOST_A_LOOK and columns["fingerprint"] not in found
        if len(found) < MOST_A_LOOK or columns["fingerprint"] in found:
            found[columns["fingerprint"]] = columns
    kept = list(found.values())
    if not kept:
        return 0
    if left:
        log.warning("quarantine: %s rows of %s, %s were left out", len(kept), source, left)
    params: dict[str, Any] = {
        "source": source,
        "trust": trust,
        "now": now,
        "until": until,
        "rows": json.dumps(kept),
        "most": MOST_A_SOURCE,
    }
    try:
        with commit("quarantine: keep"), connection.cursor() as cursor:
            cursor.execute(_KEEP, params)
            cursor.execute(_CROP, params)
    except (DataError, IntegrityError) as error:
        log.warning("quarantine: rows of %s were refused: %s", source, type(error).__name__)
        return 0
    return len(kept)


def _columns(row: BadRow) -> dict[str, Any]:
    form, raw = _as_text(row.raw)
    raw = _clean(raw)
    return {
        "kind": row.kind,
        "reason": _clean(row.reason)[:LONGEST_REASON],
        "job_id": row.job_id,
        "form": form,
        "raw": raw[:LONGEST],
        "whole": 0 < len(raw) <= LONGEST,
        "fingerprint": known_by(row, raw),
        "fetched_at": row.fetched_at.isoformat(),
    }


def known_by(row: BadRow, raw: str) -> str:
    """What the same row has again: a rejected one by itself, wherever in a file it stands; a
    half-understood one by its job and the trouble with it."""
    same = f"{row.reason}\n{row.job_id}" if row.job_id else raw or row.reason
    return sha256(f"{row.kind}\n{same}".encode("utf-8", "replace")).hexdigest()


def _as_text(raw: object) -> tuple[str, str]:
    """The value as JSON in ASCII, or the text that could not be read, and which of them it is;
    "" for none, and for what JSON cannot hold."""
    if isinstance(raw, Scrap):
        return raw.form, str(raw)
    try:
        return "value", "" if raw is None else json.dumps(raw, default=str, skipkeys=True)
    except (ValueError, TypeError, RecursionError):
        return "value", ""


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", "")

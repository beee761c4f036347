"""Verdicts: read for a block, and kept once for each user and job, ever."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet

from accounts.boundaries import commit
from accounts.models import Search
from jobs.exchange import current_rates
from jobs.filters import values_compared
from jobs.matching import FreshJobs, Key, KnownScore, Match, Matched, UserSearch
from jobs.models import Job, Verdict
from jobs.postings.posting import Posting
from jobs.table import JobTable
from jobs.tasting import tastes_of

log = logging.getLogger(__name__)

_KEEP: Final = """
INSERT INTO jobs_verdict (id, user_id, job_id, search_id, search_name, score, parts, reasons,
                          concerns, compared, scorer, prompt, tokens_in, tokens_out, cost_usd,
                          local_score, needs_review, made_at)
SELECT r.user_id || '_' || r.job_id, r.user_id, r.job_id, s.id, r.search_name, r.score,
       r.parts, r.reasons, r.concerns, r.compared, r.scorer, r.prompt, r.tokens_in, r.tokens_out,
       r.cost_usd, r.local_score, r.needs_review, %(now)s
FROM json_to_recordset(%(rows)s::json)
    AS r(user_id text, job_id text, search_id bigint, search_name text, score int, parts jsonb,
         reasons text[], concerns text[], compared jsonb, scorer text, prompt text,
         tokens_in int, tokens_out int, cost_usd numeric, local_score int, needs_review boolean)
JOIN (SELECT uid FROM accounts_user WHERE uid = ANY(%(users)s) ORDER BY uid FOR KEY SHARE) u
    ON u.uid = r.user_id
LEFT JOIN (SELECT id FROM accounts_search WHERE id = ANY(%(searches)s) ORDER BY id FOR KEY SHARE) s
    ON s.id = r.search_id
ORDER BY 1
ON CONFLICT DO NOTHING
RETURNING id
"""


def fresh_jobs(*, now: datetime, fresh: timedelta, after: int = 0) -> FreshJobs:
    """Every job dated within `fresh` of `now` and changed since revision `after`, by id.

    A job whose text was dropped is not among them; a row that cannot be read is left out alone.
    """
    jobs = Job.objects.filter(dated_at__gte=now - fresh, text_dropped_at=None, revision__gt=after)
    return _what_is_readable(jobs)


def readable_jobs(ids: Sequence[str]) -> FreshJobs:
    """The jobs of these ids, by id; a row that cannot be read is left out alone."""
    return _what_is_readable(Job.objects.filter(pk__in=ids))


def _what_is_readable(jobs: "QuerySet[Job]") -> FreshJobs:
    try:
        return _read(jobs)
    except Exception:  # noqa: BLE001 -- the boundary between jobs
        ids = list(jobs.order_by("id").values_list("pk", flat=True))
        return replace(_read(jobs.filter(pk__in=_readable(ids))), complete=False)


def _read(jobs: "QuerySet[Job]") -> FreshJobs:
    """These jobs as columns, their texts, which every filter needs, included."""
    found = table_of(jobs)
    _ = found.table.texts
    return found


def _readable(ids: list[str]) -> list[str]:
    """Halve the jobs until those that cannot be read stand alone, and leave these out."""
    try:
        _read(Job.objects.filter(pk__in=ids))
    except Exception as error:
        if len(ids) == 1:
            log.exception("job %s is left out: %s", ids[0], type(error).__name__)
            return []
        middle = len(ids) // 2
        return _readable(ids[:middle]) + _readable(ids[middle:])
    return ids


def table_of(jobs: "QuerySet[Job]") -> FreshJobs:
    """These jobs as columns, by id; plain rows, since thousands of model objects cost time."""
    names = tuple(Posting.__dataclass_fields__)
    also = ("first_seen", "dated_at", "revision", "prepared", "prepared_of")
    rows = list(jobs.order_by("id").values_list(*also, *names))
    lists = [names.index(name) for name in ("skills", "worker_countries")]
    postings = []
    ready = [prepared if of == revision else None for _, _, revision, prepared, of, *_ in rows]
    for _, _, _, _, _, *values in rows:
        for place in lists:
            values[place] = tuple(values[place])
        postings.append(Posting(**dict(zip(names, values, strict=True))))
    ids = tuple(posting.id for posting in postings)
    table = JobTable.of(postings, [row[0] for row in rows], current_rates(), ready)
    return FreshJobs(ids, table, tuple(row[1] for row in rows), tuple(row[2] for row in rows))


def searches_of(user_ids: Sequence[str], judged_to: Mapping[str, int]) -> list[UserSearch]:
    """The active searches of these users, with their tastes, by user and position."""
    rows = Search.objects.filter(user_id__in=user_ids, active=True).select_related("user")
    tastes = tastes_of(user_ids)
    return [
        UserSearch(
            row.user_id,
            row.pk,
            row.terms(),
            row.user.jobs_from,
            judged_to.get(row.user_id, 0),
            tastes.get(row.user_id),
        )
        for row in rows.order_by("user_id", "position")
    ]


def known_scores(user_ids: Sequence[str], jobs: FreshJobs) -> dict[Key, KnownScore]:
    """The verdicts that these users have on these jobs already."""
    rows = Verdict.objects.filter(user_id__in=user_ids, job_id__in=list(jobs.ids))
    return {
        (user, job): KnownScore(score, search)
        for user, job, score, search in rows.values_list("user_id", "job_id", "score", "search_id")
    }


def due_as_stored(
    matched: Matched, searches: Sequence[UserSearch], jobs: FreshJobs
) -> tuple[Match, ...]:
    """What is due by the verdicts that are stored: another worker's may have come first."""
    keys = [(searches[m.row].user_id, jobs.ids[m.col]) for m in matched.new]
    stored = known_scores(sorted({user for user, _ in keys}), jobs)
    new = [
        replace(m, score=stored[key].score)
        for m, key in zip(matched.new, keys, strict=True)
        if key in stored
    ]
    due = [m for m in new if m.score >= searches[m.row].terms.min_score]
    return (*due, *(m for m in matched.due if m.detail is None))


def keep(
    matches: Sequence[Match], searches: Sequence[UserSearch], jobs: FreshJobs, *, now: datetime
) -> int:
    """Store new verdicts with what was compared; how many were not there yet.

    Users who are gone drop out; a search that is gone leaves only its name.
    """
    return store(_rows(matches, searches, jobs, now), now=now)


def store(rows: Sequence[Mapping[str, Any]], *, now: datetime) -> int:
    """Store new verdicts given as `as_row` gives them; how many were not there yet."""
    if not rows:
        return 0
    params: dict[str, Any] = {
        "rows": json.dumps(rows),
        "users": sorted({row["user_id"] for row in rows}),
        "searches": sorted({row["search_id"] for row in rows}),
        "now": now,
    }
    with commit("verdicts: keep"), connection.cursor() as cursor:
        cursor.execute(_KEEP, params)
        return len(cursor.fetchall())


def _rows(
    matches: Sequence[Match], searches: Sequence[UserSearch], jobs: FreshJobs, now: datetime
) -> list[dict[str, Any]]:
    by_search: dict[int, list[Match]] = {}
    for match in matches:
        by_search.setdefault(match.row, []).append(match)
    rows = []
    for place, found in by_search.items():
        terms = searches[place].terms
        compared = values_compared(terms, jobs.table, [match.col for match in found], now)
        rows += [
            as_row(match, searches[place], jobs, values)
            for match, values in zip(found, compared, strict=True)
        ]
    return rows


def as_row(match: Match, search: UserSearch, jobs: FreshJobs, compared: object) -> dict[str, Any]:
    """A new verdict as plain values, fit for JSON."""
    return {
        "user_id": search.user_id,
        "job_id": jobs.ids[match.col],
        "search_id": search.search_id,
        "search_name": search.terms.name,
        "score": match.score,
        "parts": match.detail.parts if match.detail else {},
        "reasons": match.detail.reasons if match.detail else (),
        "concerns": match.detail.concerns if match.detail else (),
        "compared": compared,
        **asdict(match.author),
        "cost_usd": str(match.author.cost_usd),
    }

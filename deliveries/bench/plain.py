"""What the same work costs done plainly: the measure of any machine."""

import time
from collections.abc import Sequence
from typing import Final

from django.db import connection

from accounts.boundaries import undone
from accounts.terms import SearchTerms
from jobs.postings.posting import Posting

_COLUMNS: Final = (
    "id, user_id, job_id, status, route, mail_id, reason, repeats_id, score, threshold, title,"
    " attempts, queued_at, changed_at, sent_at"
)
_LIKE: Final = "CREATE TEMPORARY TABLE bench_plain (LIKE deliveries_delivery INCLUDING ALL)"
_SAMPLE: Final = 20_000
_READ: Final = f"SELECT {_COLUMNS} FROM deliveries_delivery ORDER BY id LIMIT {_SAMPLE}"  # noqa: S608
_INSERT: Final = f"INSERT INTO bench_plain ({_COLUMNS}) VALUES ({', '.join(['%s'] * 15)})"  # noqa: S608
_COPY: Final = f"COPY bench_plain ({_COLUMNS}) FROM STDIN"


def plain_seconds(searches: Sequence[SearchTerms], postings: Sequence[Posting]) -> dict[str, float]:
    """Seconds of one `comparison` of a pair, one `insert` and one `copy` of a ledger row."""
    insert, copy = insert_seconds()
    return {
        "comparison": comparison_seconds(searches, postings),
        "insert": insert,
        "copy": copy,
    }


def comparison_seconds(searches: Sequence[SearchTerms], postings: Sequence[Posting]) -> float:
    """Seconds that one plain Python comparison of a search and a job takes, over many pairs."""
    texts = [f"{p.title}\n{' '.join(p.skills)}\n{p.description}".lower() for p in postings]
    some = searches[: max(1, _SAMPLE // max(1, len(postings)))]
    begun = time.perf_counter()
    for search in some:
        for posting, text in zip(postings, texts, strict=True):
            _passes(search, posting, text)
    return (time.perf_counter() - begun) / max(1, len(some) * len(postings))


def _passes(search: SearchTerms, posting: Posting, text: str) -> bool:
    """The least that a filter asks: words, money, country."""
    return (
        any(skill.lower() in text for skill in search.skills)
        and not any(word.lower() in text for word in search.words_none)
        and (posting.hourly_max or 0) >= (search.min_hourly or 0)
        and (posting.fixed_budget or 0) >= (search.min_fixed or 0)
        and posting.client_country not in search.countries_exclude
    )


def insert_seconds() -> tuple[float, float]:
    """Seconds a row to put the ledger's own rows into a table like it: executemany, then COPY.

    Nothing of it is kept; (0, 0) without rows.
    """
    with undone(), connection.cursor() as cursor:
        cursor.execute(_READ)
        rows = cursor.fetchall()
        if not rows:
            return 0.0, 0.0
        cursor.execute(_LIKE)
        begun = time.perf_counter()
        cursor.executemany(_INSERT, rows)
        inserted = time.perf_counter()
        cursor.execute("TRUNCATE bench_plain")
        copying = time.perf_counter()
        with cursor.copy(_COPY) as copy:
            for row in rows:
                copy.write_row(row)
        copied = time.perf_counter()
    return (inserted - begun) / len(rows), (copied - copying) / len(rows)

"""Running rows of the quarantine again, after the normaliser has learned something."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.boundaries import commit
from jobs.models import Job, QuarantinedRow
from jobs.postings.posting import Posting
from jobs.postings.reading import read_scrap
from jobs.postings.rejection import FORMS
from jobs.quarantine.keeping import LONGEST_REASON, known_by
from jobs.rows import BadRow, Rows, sort_rows
from jobs.store import in_order, store

_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Rerun:
    """How many rows are understood now and gone, how many stay, and how many jobs were new."""

    understood: int = 0
    left: int = 0
    new_jobs: int = 0

    def __add__(self, other: "Rerun") -> "Rerun":
        return Rerun(*(a + b for a, b in zip(_values(self), _values(other), strict=True)))

    def as_json(self) -> dict[str, Any]:
        """Every key, always."""
        return asdict(self)


def _values(rerun: Rerun) -> tuple[int, ...]:
    return rerun.understood, rerun.left, rerun.new_jobs


def run_again(rows: "QuerySet[QuarantinedRow]", *, now: datetime) -> Rerun:
    """Put these rows through the normaliser again; what is understood becomes a job and leaves.

    A job counts as first seen when its row was, and its licence period is the row's.  A row that
    is only half understood now gives its job and stays.  One whose period is over, that was cut,
    or that somebody else has in hand stays as it is.
    """
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    total = Rerun()
    for start in range(0, len(ids), _BATCH):
        with commit("quarantine: run again"):
            in_order()  # first of all locks, as a fetch takes them
            done = _run(ids[start : start + _BATCH], now)
        total += done
    return total


def _run(ids: Sequence[int], now: datetime) -> Rerun:
    rows = QuarantinedRow.objects.select_for_update(skip_locked=True).order_by("pk")
    alive = rows.filter(Q(until=None) | Q(until__gt=now), pk__in=ids, whole=True)
    read = [(row, _read(row)) for row in alive]
    new, refused = _store([(row, posting) for row, found in read for posting in found.postings])
    understood = [
        row.pk for row, found in read if found.postings and not found.bad and row.pk not in refused
    ]
    QuarantinedRow.objects.filter(pk__in=understood).delete()
    _rename([(row, found.bad[0]) for row, found in read if found.bad])
    left = QuarantinedRow.objects.filter(pk__in=ids).count()  # others may have run some as well
    return Rerun(len(understood), left, new)


def _read(row: QuarantinedRow) -> Rows:
    """What a row is by now; a text may turn out to hold several."""
    form = next((form for form in FORMS if form == row.form), None)
    try:
        rows = list(read_scrap(form, row.raw)) if form else [json.loads(row.raw)]
    except (ValueError, RecursionError):
        return Rows()  # it stays as it is
    return sort_rows(rows, row.fetched_at)


def _rename(pairs: Iterable[tuple[QuarantinedRow, BadRow]]) -> None:
    """Say of rows what is wrong with them now; of those that are one and the same by now, one
    is left."""
    renamed = []
    for row, bad in pairs:
        reason = bad.reason[:LONGEST_REASON]
        if (row.kind, row.reason) != (bad.kind, reason):
            row.kind, row.reason, row.job_id = bad.kind, reason, bad.job_id
            row.fingerprint = known_by(bad, row.raw)
            renamed.append(row)
    same = QuarantinedRow.objects.filter(fingerprint__in=[row.fingerprint for row in renamed])
    known = {_key(row): row.pk for row in same}
    left = [row for row in renamed if row.pk == known.setdefault(_key(row), row.pk)]
    gone = {row.pk for row in renamed} - {row.pk for row in left}
    QuarantinedRow.objects.filter(pk__in=gone).delete()
    QuarantinedRow.objects.bulk_update(left, ["kind", "reason", "job_id", "fingerprint"])


def _key(row: QuarantinedRow) -> tuple[str, str]:
    return row.source, row.fingerprint


def _store(pairs: Iterable[tuple[QuarantinedRow, Posting]]) -> tuple[int, set[int]]:
    """Store what no later fetch has overtaken; how many jobs were new, and which rows' postings
    the database refused."""
    looks: dict[Any, list[tuple[QuarantinedRow, Posting]]] = defaultdict(list)
    for row, posting in _not_overtaken(list(pairs)):
        seen = row.first_seen, row.seen_at
        looks[row.source, row.trust, seen, row.until].append((row, posting))
    new, refused = 0, set()
    for (source, trust, (first_seen, last_seen), until), members in looks.items():
        postings = [posting for _, posting in members]
        by: dict[str, Any] = {"source": source, "trust": trust, "now": last_seen}
        stored = store(postings, **by, first_seen=first_seen, text_until=until)
        new += stored.new
        refused |= {row.pk for row, posting in members if posting.id in stored.refused}
    return new, refused


def _not_overtaken(
    pairs: Sequence[tuple[QuarantinedRow, Posting]],
) -> Iterator[tuple[QuarantinedRow, Posting]]:
    ids = [posting.id for _, posting in pairs]
    fetched = dict(Job.objects.filter(pk__in=ids).values_list("pk", "fetched_at"))
    for row, posting in pairs:
        if posting.id not in fetched or fetched[posting.id] <= row.seen_at:
            yield row, posting

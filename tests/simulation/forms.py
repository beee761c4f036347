"""When two databases are equal, as far as any run can tell."""

import re
from collections import Counter
from hashlib import sha256
from typing import Any, Final

from tests.simulation import tables

Rows = dict[str, bytes]

# Written for staff: `nothing_unread` makes sure that no run reads this table.  No run goes by
# these columns either, as long as the clock is not set back.
UNREAD: Final = "deliveries_run"
UNREAD_COLUMNS: Final = {
    "deliveries_delivery": ("changed_at", "sent_at"),
    "deliveries_lease": ("token",),
    "deliveries_mail": ("finished_at", "sent_at"),
    "jobs_job": ("fetched_at",),
    "jobs_sourcestate": ("checked_at", "succeeded_at", "new_job_at", "detail"),
    "jobs_verdict": ("made_at",),
    "jobs_watermark": ("judged_at",),
}
# What is over is looked at no more: such rows keep only who and what; mails, besides, the day.
_OVER: Final = {
    "deliveries_delivery": ("queued_at", "attempts"),
    "deliveries_mail": ("attempts", "begun", "doubtful", "error"),
}
_OPEN: Final = (b"queued", b"sealed", b"sending")
# Values of which only the order counts; all revisions have one order.
_ORDERED: Final[tuple[tuple[tuple[str, str], ...], ...]] = (
    (
        ("jobs_job", "revision"),
        ("jobs_job", "prepared_of"),
        ("jobs_watermark", "judged_to"),
    ),
    (("accounts_preferences", "visited_at"),),
)
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00")
_NULL: Final = b"\\N"


def form_of(rows: Rows) -> str:
    """Equal for databases in which the same runs at the same minute do the same.

    What no run reads is left out; that includes the lease's token, since only who took it knows it,
    and they are gone.  What stands for nothing but its order keeps its place in that order: the
    jobs' revisions, which a sequence makes, and visits.  Any other time keeps its minute, and its
    place among all the times of that minute.
    """
    cells = {table: _cells(dump) for table, dump in rows.items() if table != UNREAD}
    for table, columns in UNREAD_COLUMNS.items():
        for place in (_place(table, column) for column in columns):
            for line in cells[table]:
                line[place] = b""
    _close(cells)
    for alike in _ORDERED:
        _by_order([(cells[table], _place(table, column)) for table, column in alike])
    dumps = (
        b"\n".join([table.encode(), *sorted(map(b"\t".join, lines))])
        for table, lines in sorted(cells.items())
    )
    return sha256(_times_by_order(b"\n".join(dumps))).hexdigest()


def _close(cells: dict[str, list[list[bytes]]]) -> None:
    """Forget of what is over all that no run reads; a mail's minute counts while rows wait."""
    waits = False
    for table, columns in _OVER.items():
        status = _place(table, "status")
        over = [line for line in cells[table] if line[status] not in _OPEN]
        waits |= len(over) < len(cells[table])
        for place in (_place(table, column) for column in columns):
            for line in over:
                line[place] = b""
    if not waits:
        made = _place("deliveries_mail", "created_at")
        for line in cells["deliveries_mail"]:
            line[made] = line[made][:10]


def _by_order(columns: list[tuple[list[list[bytes]], int]]) -> None:
    found = {line[place] for lines, place in columns for line in lines} - {_NULL}
    order = {value: b"#%d" % n for n, value in enumerate(sorted(found, key=_sortable))}
    for lines, place in columns:
        for line in lines:
            line[place] = order.get(line[place], _NULL)


def _sortable(value: bytes) -> tuple[int, bytes]:
    return (int(value), b"") if value.isdigit() else (0, value)


def _times_by_order(dump: bytes) -> bytes:
    names: dict[bytes, bytes] = {}
    places: Counter[bytes] = Counter()
    for time in sorted(set(_TIME.findall(dump))):
        minute = time[:16]
        names[time] = b"%s #%d" % (minute, places[minute])
        places[minute] += 1
    return _TIME.sub(lambda found: names[found[0]], dump)


def _cells(dump: bytes) -> list[list[bytes]]:
    return [line.split(b"\t") for line in dump.splitlines()]


def _place(table: str, column: str) -> int:
    return tables.columns(table).split(", ").index(column)


class ReadUnread(BaseException):
    """A run reads what was said to be unread."""


def nothing_unread(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    """Let a statement pass, as an execute wrapper of Django, unless it reads the unread table."""
    if UNREAD in sql and "SELECT" in sql:
        raise ReadUnread(sql)
    return execute(sql, params, many, context)

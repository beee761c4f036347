"""The tables of transitions: as code, and as what the database lets through."""

from datetime import date
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, connection, transaction

from deliveries.models import Delivery, Mail
from deliveries.statuses import (
    DELIVERY_MOVES,
    DELIVERY_STATUSES,
    MAIL_MOVES,
    MAIL_STATUSES,
    OPEN_MAIL,
    ROWS_FOLLOW,
    may_move,
)
from tests.factories import NOON, JobFactory, person, queued

DELIVERY_WAYS = {
    ("queued", "sealed"),
    ("queued", "expired"),
    ("sealed", "sent"),
    ("sealed", "unconfirmed"),
    ("sealed", "failed"),
    ("sealed", "queued"),
    ("unconfirmed", "sent"),
    ("unconfirmed", "failed"),
    ("failed", "queued"),
}
MAIL_WAYS = {
    *((open_, end) for open_ in OPEN_MAIL for end in ("sent", "failed", "unconfirmed", "void")),
    ("unconfirmed", "sent"),
    ("unconfirmed", "failed"),
}
PAIRS = [(before, after) for before in DELIVERY_STATUSES for after in DELIVERY_STATUSES]
MAIL_PAIRS = [(before, after) for before in MAIL_STATUSES for after in MAIL_STATUSES]
ALERT, OTHER = "a" * 32, "b" * 32
MONDAY = date(2026, 11, 23)


def test_the_code_knows_these_moves_and_no_others():
    assert {pair for pair in PAIRS if may_move("delivery", *pair)} == DELIVERY_WAYS
    assert {pair for pair in MAIL_PAIRS if may_move("mail", *pair)} == MAIL_WAYS


def test_unknown_words_are_no_moves():
    assert not may_move("delivery", "lost", "sent")
    assert not may_move("mail", "sealed", "lost")


def test_the_rows_of_a_mail_can_follow_it_to_every_end():
    for before, after in MAIL_WAYS:
        rows = "unconfirmed" if before == "unconfirmed" else "sealed"
        assert may_move("delivery", rows, ROWS_FOLLOW[after])


def set_row(table: str, id_: str, **values: Any) -> None:
    """One raw UPDATE."""
    columns = ", ".join(f"{name} = %s" for name in values)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {table} SET {columns} WHERE id = %s", [*values.values(), id_])
        assert cursor.rowcount == 1


def broken(error: IntegrityError) -> str:
    """The constraint that the database names."""
    assert isinstance(error.__cause__, psycopg.Error)
    return error.__cause__.diag.constraint_name or ""


def refused(table: str, id_: str, **values: Any) -> str:
    """The constraint that a raw UPDATE violates; "" when it goes through."""
    try:
        with transaction.atomic():
            set_row(table, id_, **values)
    except IntegrityError as error:
        return broken(error)
    return ""


def way_to(moves: dict[str, frozenset[str]], begin: str, end: str) -> list[str]:
    """The statuses from `begin` to `end`, without the first; by moves that are allowed."""
    ways: dict[str, list[str]] = {begin: []}
    while end not in ways:
        ways = {**{to: [*way, to] for at, way in ways.items() for to in sorted(moves[at])}, **ways}
    return ways[end]


def delivery_in(status: str) -> dict[str, Any]:
    carried = status not in ("queued", "expired")
    return {
        "status": status,
        "mail_id": ALERT if carried else None,
        "reason": "stale" if status == "expired" else "",
        "sent_at": NOON if status == "sent" else None,
    }


def mail_in(status: str) -> dict[str, Any]:
    is_open = status in OPEN_MAIL
    return {
        "status": status,
        "body": b"bytes" if is_open else None,
        "finished_at": None if is_open else NOON,
        "sent_at": NOON if status == "sent" else None,
        "next_attempt_at": NOON if status == "sealed" else None,
    }


def new_mail(id_: str, status: str, **values: Any) -> Mail:
    user = person()
    kind = "digest" if status == "sealed" else "alert"
    day = NOON.date() if kind == "digest" else None
    known = {"kind": kind, "digest_on": day, "recipient": user.email, "subject": "Jobs", "jobs": 1}
    return Mail.objects.create(id=id_, user=user, **{**known, **mail_in(status), **values})


@pytest.fixture
def row(db) -> str:
    """The id of a queued row, beside a mail that could carry it."""
    new_mail(ALERT, "sending")
    return queued(person(), JobFactory.create()).pk


@pytest.mark.parametrize(("before", "after"), PAIRS)
def test_the_database_moves_a_delivery_as_the_table_says(row, before, after):
    for step in way_to(DELIVERY_MOVES, "queued", before):
        set_row("deliveries_delivery", row, **delivery_in(step))
    answer = refused("deliveries_delivery", row, **delivery_in(after))
    assert answer == (
        "" if before == after or (before, after) in DELIVERY_WAYS else "delivery_moves"
    )


@pytest.mark.parametrize("begin", OPEN_MAIL)
@pytest.mark.parametrize(("before", "after"), MAIL_PAIRS)
def test_the_database_moves_a_mail_as_the_table_says(db, begin, before, after):
    if before in OPEN_MAIL and before != begin:
        return
    new_mail(ALERT, begin)
    for step in way_to(MAIL_MOVES, begin, before):
        set_row("deliveries_mail", ALERT, **mail_in(step))
    answer = refused("deliveries_mail", ALERT, **mail_in(after))
    assert answer == ("" if before == after or (before, after) in MAIL_WAYS else "mail_moves")


# What violates each constraint: the status the row stands in, and what is set.
DELIVERY_RULES = {
    "delivery_id_is_of_pair": ("queued", {"id": "x_y"}),
    "delivery_route_known": ("queued", {"route": "weekly"}),
    "delivery_mail_fits_status": ("queued", {"mail_id": ALERT}),
    "delivery_reason_iff_expired": ("queued", {"reason": "stale"}),
    "delivery_repeats_iff_repost": ("queued", {"repeats_id": "upwork:5"}),
    "delivery_sent_at_iff_sent": ("sealed", {"sent_at": NOON}),
    "delivery_score": ("queued", {"score": 101}),
    "delivery_threshold": ("queued", {"threshold": 101}),
    "delivery_route_only_while_queued": ("sealed", {"route": "daily"}),
    "delivery_keeps_its_mail": ("sealed", {"mail_id": OTHER}),
    "delivery_moves": ("queued", delivery_in("sent")),
}
MAIL_RULES = {
    "mail_id_shape": ("sending", {"id": "A" * 32}),
    "mail_body_iff_open": ("sending", {"body": None}),
    "mail_sent_at_iff_sent": ("sending", {"sent_at": NOON}),
    "mail_next_attempt_iff_sealed": ("sealed", {"next_attempt_at": None}),
    "mail_is_written_once": ("sealed", {"body": b"other bytes"}),
    "mail_moves": ("sending", mail_in("sealed")),
}


@pytest.mark.parametrize("rule", DELIVERY_RULES)
def test_the_database_refuses_a_delivery_that_breaks(row, rule):
    status, values = DELIVERY_RULES[rule]
    new_mail(OTHER, "sealed")
    for step in way_to(DELIVERY_MOVES, "queued", status):
        set_row("deliveries_delivery", row, **delivery_in(step))
    assert refused("deliveries_delivery", row, **values) == rule


@pytest.mark.parametrize("rule", MAIL_RULES)
def test_the_database_refuses_a_mail_that_breaks(db, rule):
    status, values = MAIL_RULES[rule]
    new_mail(ALERT, status)
    assert refused("deliveries_mail", ALERT, **values) == rule


@pytest.mark.parametrize(
    "changed", [{"recipient": "eve@example.com"}, {"subject": "Other jobs"}, {"kind": "digest"}]
)
def test_a_mail_is_written_once(db, changed):
    new_mail(ALERT, "sending")
    assert refused("deliveries_mail", ALERT, **changed) == "mail_is_written_once"


def note(id_: str, **values: Any) -> Mail:
    """A weekly note that may be leaving."""
    return new_mail(id_, "sending", **{"kind": "weekly", "week_on": MONDAY, **values})


def insert_refused(make: Any) -> str:
    """The constraint that an INSERT violates."""
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        make()
    return broken(caught.value)


@pytest.mark.parametrize("status", sorted(set(DELIVERY_STATUSES) - {"queued"}))
def test_a_delivery_begins_queued(db, status):
    new_mail(ALERT, "sending")
    assert (
        insert_refused(lambda: queued(person(), JobFactory(), **delivery_in(status)))
        == "delivery_moves"
    )


@pytest.mark.parametrize("status", sorted(set(MAIL_STATUSES) - set(OPEN_MAIL)))
def test_a_mail_begins_open(db, status):
    assert insert_refused(lambda: new_mail(ALERT, status)) == "mail_moves"


INSERTED_MAILS = {
    "mail_day_iff_digest": lambda: new_mail(ALERT, "sending", digest_on=NOON.date()),
    "mail_status_fits_kind": lambda: new_mail(ALERT, "sealed", kind="alert", digest_on=None),
    "mail_week_iff_weekly": lambda: new_mail(ALERT, "sending", kind="weekly"),
    "mail_week_begins_on_monday": lambda: note(ALERT, week_on=NOON.date()),
    "mail_one_weekly_a_week": lambda: [note(id_) for id_ in (ALERT, OTHER)],
    "deliveries_mail_pkey": lambda: [new_mail(ALERT, "sending") for _ in range(2)],
    "mail_one_open_digest": lambda: [
        new_mail(id_, "sealed", digest_on=f"2026-11-2{n}") for n, id_ in enumerate((ALERT, OTHER))
    ],
}


@pytest.mark.parametrize("rule", sorted(INSERTED_MAILS))
def test_the_database_refuses_a_new_mail_that_breaks(db, rule):
    assert insert_refused(INSERTED_MAILS[rule]) == rule


def test_one_digest_a_day_also_after_the_first_one_ended(db):
    new_mail(ALERT, "sealed")
    set_row("deliveries_mail", ALERT, **mail_in("void"))
    assert insert_refused(lambda: new_mail(OTHER, "sealed")) == "mail_one_digest_a_day"


def test_a_note_that_did_not_leave_stands_in_no_other_ones_way(db):
    note(ALERT)
    set_row("deliveries_mail", ALERT, **mail_in("void"))
    note(OTHER)
    assert refused("deliveries_mail", OTHER, week_on=date(2026, 11, 30)) == "mail_is_written_once"


@pytest.mark.parametrize("kind", ["sample", "weekly"])
def test_a_notice_is_never_frozen(db, kind):
    week = {"week_on": MONDAY} if kind == "weekly" else {}
    made = {"kind": kind, "digest_on": None, **week}
    assert insert_refused(lambda: new_mail(ALERT, "sealed", **made)) == "mail_status_fits_kind"


def test_a_pair_has_one_row_by_its_id_and_by_its_columns(row):
    pair = Delivery.objects.values().get()
    again = Delivery(**pair)
    assert insert_refused(lambda: again.save(force_insert=True)) == "deliveries_delivery_pkey"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE deliveries_delivery DROP CONSTRAINT delivery_id_is_of_pair")
    again.pk = "another id"
    assert insert_refused(lambda: again.save(force_insert=True)) == "delivery_once"


# A word nobody knows violates two constraints at once; the database names one of them.
UNKNOWN_WORDS = {
    "delivery_status_known",
    "delivery_mail_fits_status",
    "mail_kind_known",
    "mail_day_iff_digest",
}


def test_a_kind_nobody_knows_is_refused(db):
    assert insert_refused(lambda: new_mail(ALERT, "sending", kind="letter")) in UNKNOWN_WORDS


def test_a_status_nobody_knows_is_refused(row):
    assert refused("deliveries_delivery", row, status="lost") == "delivery_moves"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("DROP TRIGGER delivery_moves ON deliveries_delivery")
    assert refused("deliveries_delivery", row, status="lost") in UNKNOWN_WORDS


def test_every_named_constraint_is_violated_somewhere_above():
    named = {c.name for model in (Delivery, Mail) for c in model._meta.constraints}
    tried = {*DELIVERY_RULES, *MAIL_RULES, *INSERTED_MAILS, *UNKNOWN_WORDS}
    assert named <= tried | {"mail_one_digest_a_day", "delivery_once"}

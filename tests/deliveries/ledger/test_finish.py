"""How a mail ends, and its rows with it."""

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from deliveries import ledger
from deliveries.models import Mail
from deliveries.statuses import ROWS_FOLLOW, MailStatus
from tests.deliveries.ledger.tables import DAY, MINUTE, alert_id, mail, mails, queue, row, rows
from tests.factories import NOON, person
from tests.threads import behind, together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)
LATER = NOON + MINUTE
NEVER_LEFT: list[MailStatus] = ["failed", "void"]


def claimed(count: int = 2, email: str = "ana@example.com") -> tuple[str, list[str]]:
    """An alert that may be leaving: its envelope and its rows."""
    user = person(email)
    ids = queue(user, *[80] * count)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    return alert_id(*ids), ids


def finish(envelope: str, status: MailStatus, **values: Any) -> int:
    return ledger.finish(envelope, status, **{"now": LATER, **values})


@pytest.mark.parametrize(
    ("status", "values"),
    [
        ("sent", {"sent_at": LATER}),
        ("failed", {}),
        ("unconfirmed", {}),
    ],
)
def test_rows_end_as_their_mail_does(status, values):
    envelope, ids = claimed()
    assert finish(envelope, status) == 2
    assert rows() == [row(id_, status, mail=envelope, **values) for id_ in ids]
    assert mails() == [mail(envelope, "alert", status, 2, attempts=1)]


def test_rows_of_a_mail_that_did_not_leave_wait_again():
    envelope, ids = claimed()
    assert finish(envelope, "void") == 2
    assert rows() == [row(id_, "queued", attempts=1) for id_ in ids]
    assert mails() == [mail(envelope, "alert", "void", 2, attempts=1)]


def test_what_the_end_leaves_in_the_mail():
    envelope, _ = claimed()
    finish(envelope, "sent", provider_id="its-id", error="odd")
    ended = Mail.objects.get()
    assert (ended.body, ended.finished_at, ended.sent_at) == (None, LATER, LATER)
    assert (ended.provider_id, ended.error, ended.next_attempt_at) == ("its-id", "odd", None)


@pytest.mark.parametrize("first", ["sent", "failed", "unconfirmed", "void"])
@pytest.mark.parametrize("second", ["sent", "failed", "unconfirmed", "void"])
def test_a_mail_ends_once(first, second):
    envelope, _ = claimed()
    finish(envelope, first)
    before = rows(), mails()
    assert finish(envelope, second) == 0
    assert (rows(), mails()) == before


@pytest.mark.parametrize("end", ["sent", "failed"])
def test_what_was_unconfirmed_can_be_settled(end):
    envelope, ids = claimed()
    finish(envelope, "unconfirmed")
    assert finish(envelope, end, expected=["unconfirmed"]) == 2
    sent_at = LATER if end == "sent" else None
    assert rows() == [row(id_, end, mail=envelope, sent_at=sent_at) for id_ in ids]
    assert mails() == [mail(envelope, "alert", end, 2, attempts=1)]


@pytest.mark.parametrize("end", NEVER_LEFT)
def test_what_ended_for_good_is_not_settled_again(end):
    envelope, _ = claimed()
    finish(envelope, end)
    with pytest.raises(IntegrityError), transaction.atomic():
        finish(envelope, "sent", expected=[end])


def test_an_unknown_mail_ends_nothing():
    envelope, ids = claimed()
    assert finish("0" * 32, "sent") == 0
    assert rows() == [row(id_, "sealed", mail=envelope) for id_ in ids]


def test_only_the_rows_of_the_mail_are_moved():
    envelope, ids = claimed()
    other, [theirs] = claimed(1, "bo@example.com")
    [waiting] = queue(person(), 99)
    assert finish(envelope, "sent") == len(ids)
    assert row(waiting, "queued") in rows()
    assert row(theirs, "sealed", mail=other) in rows()


def test_mail_and_rows_end_together_or_not_at_all(monkeypatch):
    envelope, ids = claimed()
    monkeypatch.delitem(ROWS_FOLLOW, "sent")
    with pytest.raises(KeyError):
        finish(envelope, "sent")
    assert rows() == [row(id_, "sealed", mail=envelope) for id_ in ids]
    assert mails() == [mail(envelope, "alert", "sending", 2)]


@side_by_side
def test_of_two_ends_at_once_one_counts():
    envelope, _ = claimed()
    ends: list[MailStatus] = ["sent", "void", "unconfirmed", "failed"]
    assert sorted(together(*[partial(finish, envelope, end) for end in ends])) == [0, 0, 0, 2]
    [(_, _, status, *_)] = mails()
    assert {r[1] for r in rows()} == {{"void": "queued"}.get(status, status)}


@side_by_side
def test_an_end_that_waited_sees_the_one_before():
    envelope, ids = claimed()
    answers = behind(partial(finish, envelope, "unconfirmed"), partial(finish, envelope, "void"))
    assert answers == [0]
    assert rows() == [row(id_, "unconfirmed", mail=envelope) for id_ in ids]

"""Sending a frozen digest's bytes: begin, hold, and put off or stop."""

from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import Preferences, Suppression, User
from deliveries import ledger
from deliveries.ledger import Begun, Held
from deliveries.models import Mail
from tests.deliveries.ledger.tables import (
    DAY,
    HOUR,
    MINUTE,
    digest_id,
    mail,
    mails,
    queue,
    row,
    rows,
)
from tests.factories import NOON, person
from tests.threads import together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)


def frozen(user: User | None = None) -> tuple[User, str, str]:
    """A user with a digest of noon: its envelope and its row."""
    user = user or person()
    [id_] = queue(user, 80, route="daily")
    ledger.freeze(user.pk, now=NOON)
    return user, digest_id(user), id_


def begun(envelope: str, at: datetime = NOON) -> Begun:
    found = ledger.begin(envelope, now=at)
    assert found is not None
    return found


def hold(attempt: Begun, at: datetime = NOON) -> Any:
    with transaction.atomic():
        return ledger.hold(attempt, now=at)


def test_an_attempt_is_doubtful_until_better_is_known():
    user, envelope, _ = frozen()
    body = bytes(Mail.objects.get().body)
    assert begun(envelope) == Begun(envelope, doubtful=False, number=1)
    assert mails() == [mail(envelope, "digest", "sealed", doubtful=True)]
    held = hold(Begun(envelope, doubtful=False, number=1))
    assert (held.user_id, held.attempts, held.doubtful) == (user.pk, 0, False)
    assert (held.mail.raw, held.mail.recipient) == (body, user.email)


def test_a_killed_attempt_leaves_a_doubt_to_the_next():
    _, envelope, _ = frozen()
    begun(envelope)  # and the process is killed
    assert begun(envelope) == Begun(envelope, doubtful=True, number=2)
    assert hold(begun(envelope)).doubtful


@pytest.mark.parametrize("end", ["sent", "failed", "unconfirmed", "void"])
def test_a_finished_digest_is_not_begun_or_held(end):
    _, envelope, _ = frozen()
    attempt = begun(envelope)
    ledger.finish(envelope, end, now=NOON, expected=["sealed"])
    assert ledger.begin(envelope, now=NOON) is None
    assert hold(attempt) is None


def test_a_digest_is_not_begun_before_its_time():
    _, envelope, _ = frozen()
    assert ledger.begin(envelope, now=NOON - MINUTE) is None
    assert ledger.begin("0" * 32, now=NOON) is None


def put_off(held: Held, **values: Any) -> None:
    given = {"now": NOON, "doubtful": False, "retry_after": None, "error": "later", **values}
    ledger.put_off(held, **given)


def test_a_refusal_for_now_takes_the_doubt_back():
    _, envelope, id_ = frozen()
    put_off(hold(begun(envelope)))
    assert mails() == [mail(envelope, "digest", "sealed", attempts=1)]
    assert rows() == [row(id_, "sealed", "daily", mail=envelope)]
    assert ledger.begin(envelope, now=NOON + 14 * MINUTE) is None
    assert hold(begun(envelope, NOON + 15 * MINUTE), NOON + 15 * MINUTE).attempts == 1


def test_a_doubt_once_earned_stays():
    _, envelope, _ = frozen()
    put_off(hold(begun(envelope)), doubtful=True)
    later = NOON + HOUR
    put_off(hold(begun(envelope, later), later), now=later)
    assert mails() == [mail(envelope, "digest", "sealed", attempts=2, doubtful=True)]


def test_a_provider_that_asks_for_time_gets_it():
    _, envelope, _ = frozen()
    put_off(hold(begun(envelope)), retry_after=7200.0)
    assert Mail.objects.get().next_attempt_at == NOON + 2 * HOUR


def test_a_refusal_of_everybody_leaves_it_due_behind_the_others():
    _, envelope, _ = frozen()
    held = hold(begun(envelope))
    ledger.pass_over(held, now=NOON + MINUTE, error="535 no")
    assert mails() == [mail(envelope, "digest", "sealed")]
    passed = Mail.objects.get()
    assert (passed.next_attempt_at, passed.error) == (NOON + MINUTE, "535 no")


def opt_out(user: User) -> None:
    Suppression.objects.create(user=user, reason="opted_out")


def deactivate(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


@pytest.mark.parametrize("how", [opt_out, deactivate])
def test_an_opt_out_ends_an_open_digest(how):
    user, envelope, id_ = frozen()
    attempt = begun(envelope)
    how(user)
    assert hold(attempt) == "stopped"
    assert rows() == [row(id_, "expired", "daily", reason="opted out", attempts=1)]
    assert mails() == [mail(envelope, "digest", "void")]


def test_an_opt_out_ends_a_doubtful_digest_as_unconfirmed():
    user, envelope, id_ = frozen()
    begun(envelope)  # and the process is killed
    opt_out(user)
    assert hold(begun(envelope)) == "stopped"
    assert rows() == [row(id_, "unconfirmed", "daily", mail=envelope)]
    assert mails() == [mail(envelope, "digest", "unconfirmed", doubtful=True)]


@pytest.mark.parametrize("values", [{"mode": "daily"}, {"timezone": "Asia/Kathmandu"}])
def test_a_change_of_preferences_does_not_end_it(values):
    user, envelope, _ = frozen()
    Preferences.objects.filter(pk=user.pk).update(**values)
    assert isinstance(hold(begun(envelope)), Held)


def test_a_paused_digest_waits_without_a_doubt():
    user, envelope, _ = frozen()
    Preferences.objects.filter(pk=user.pk).update(paused_until=NOON + HOUR)
    assert hold(begun(envelope)) is None
    assert mails() == [mail(envelope, "digest", "sealed")]
    assert isinstance(hold(begun(envelope), NOON + HOUR), Held)


def test_holding_takes_as_long_as_sending_does():
    _, envelope, _ = frozen()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1s'")
        assert isinstance(ledger.hold(begun_inside(envelope), now=NOON), Held)
        cursor.execute("SELECT current_setting('idle_in_transaction_session_timeout')")
        assert cursor.fetchone() == ("0",)
        cursor.execute("SELECT setting FROM pg_settings WHERE name = 'transaction_timeout'")
        assert cursor.fetchall() in ([], [("0",)])


def begun_inside(envelope: str) -> Begun:
    return Begun(envelope, doubtful=False, number=1)


# Side by side


@side_by_side
def test_a_transaction_timeout_does_not_end_a_slow_send():
    _, envelope, _ = frozen()
    attempt = begun(envelope)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_settings WHERE name = 'transaction_timeout'")
        if cursor.fetchone() == (0,):
            pytest.skip("this PostgreSQL has no transaction_timeout")
        cursor.execute("SET transaction_timeout = '300ms'")
        try:
            with transaction.atomic():
                assert isinstance(ledger.hold(attempt, now=NOON), Held)
                cursor.execute("SELECT pg_sleep(0.4)")
                ledger.finish(envelope, "sent", now=NOON, expected=["sealed"])
        finally:
            cursor.execute("SET transaction_timeout = 0")
    assert mails() == [mail(envelope, "digest", "sent", attempts=1)]


@side_by_side
def test_a_held_digest_is_passed_over_by_all_others_at_once():
    _, envelope, _ = frozen()
    attempt = begun(envelope)
    with transaction.atomic():
        assert isinstance(ledger.hold(attempt, now=NOON), Held)
        others = together(
            partial(ledger.begin, envelope, now=NOON),
            partial(hold, attempt),
            partial(ledger.sweep, now=NOON + DAY + MINUTE, fresh=DAY),
        )
    assert others == [None, None, ledger.Swept()]


@side_by_side
def test_an_insert_beside_the_send_is_not_flipped_with_the_batch():
    user, envelope, id_ = frozen()
    attempt = begun(envelope)
    with transaction.atomic():
        ledger.hold(attempt, now=NOON)
        [[late]] = together(lambda: queue(user, 99, route="daily"))
        assert ledger.finish(envelope, "sent", now=NOON, expected=["sealed"]) == 1
    assert rows() == [
        row(id_, "sent", "daily", mail=envelope, sent_at=NOON),
        row(late, "queued", "daily"),
    ]


@side_by_side
def test_a_crash_while_holding_frees_the_digest_as_it_was():
    _, envelope, id_ = frozen()
    body = bytes(Mail.objects.get().body)

    def crash() -> None:
        with transaction.atomic():
            ledger.hold(begun_inside(envelope), now=NOON)
            ledger.finish(envelope, "sent", now=NOON, expected=["sealed"])
            raise KeyboardInterrupt

    assert [type(error) for error in together(crash)] == [KeyboardInterrupt]
    assert rows() == [row(id_, "sealed", "daily", mail=envelope)]
    assert hold(begun(envelope)).mail.raw == body


@side_by_side
def test_a_begin_is_committed_before_anything_is_sent():
    _, envelope, _ = frozen()
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        begun(envelope)


@pytest.mark.parametrize("end", ["put off", "paused", "opted out"])
def test_an_attempt_begun_by_somebody_else_meanwhile_keeps_the_doubt(end):
    """Between begin and hold another process began, sent, and was killed before its mark."""
    user, envelope, _ = frozen()
    slow = begun(envelope)
    begun(envelope)
    if end == "paused":
        Preferences.objects.update(paused_until=NOON + DAY)
    if end == "opted out":
        Suppression.objects.create(user=user, reason="opted_out")
    held = hold(slow)
    if end == "put off":
        ledger.put_off(held, now=NOON, doubtful=False, retry_after=None, error="450 later")
    found = Mail.objects.get()
    assert (found.status, found.doubtful) == (
        "unconfirmed" if end == "opted out" else "sealed",
        True,
    )

"""Claiming an alert: one mail, committed before anybody sends it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import OptOutToken, Preferences, User
from accounts.opting_out import opt_out
from deliveries import compose, ledger
from deliveries.messages import render_alert
from deliveries.models import Delivery, Mail
from deliveries.routing import ALERT_ATTEMPTS, ALERT_JOBS
from tests.deliveries.ledger.tables import (
    DAY,
    HOUR,
    MINUTE,
    alert_id,
    mail,
    mails,
    queue,
    row,
    rows,
)
from tests.factories import NOON, person
from tests.threads import behind, together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)


def claim(user: User, at: Any = NOON) -> ledger.Claimed | None:
    return ledger.claim(user.pk, now=at, fresh=DAY)


def test_queued_instant_rows_become_one_mail_the_best_first():
    user = person()
    low, high = queue(user, 71, 95)
    claimed = claim(user)
    envelope = alert_id(low, high)
    assert rows() == [row(id_, "sealed", mail=envelope) for id_ in (low, high)]
    assert mails() == [mail(envelope, "alert", "sending", 2)]
    assert (claimed.failed, claimed.mail.envelope, claimed.mail.recipient) == (
        0,
        envelope,
        user.email,
    )
    stored = Mail.objects.get()
    assert (bytes(stored.body), stored.created_at) == (claimed.mail.raw, NOON)
    titles = [Delivery.objects.get(pk=id_).title.encode() for id_ in (high, low)]
    assert claimed.mail.raw.index(titles[0]) < claimed.mail.raw.index(titles[1])


def test_a_second_claim_finds_nothing():
    user = person()
    queue(user, 80)
    assert claim(user)
    before = rows(), mails()
    assert claim(user) is None
    assert (rows(), mails()) == before


def opted_out(user: User) -> None:
    opt_out(OptOutToken.objects.get(user=user).token)


def inactive(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def preferring(user: User, **values: Any) -> None:
    Preferences.objects.filter(pk=user.pk).update(**values)


PREVENTED: dict[str, Callable[[User], object]] = {
    "opted out": opted_out,
    "inactive": inactive,
    "paused": partial(preferring, paused_until=NOON + MINUTE),
    "quiet": partial(preferring, quiet_from="11:00", quiet_until="13:00"),
    "gone": lambda user: Preferences.objects.filter(pk=user.pk).delete(),
}


@pytest.mark.parametrize("why", PREVENTED)
def test_nothing_is_claimed_for_a_user_who_is(why):
    user = person()
    [id_] = queue(user, 80)
    PREVENTED[why](user)
    assert claim(user) is None
    assert (rows(), mails()) == ([row(id_, "queued")], [])


@pytest.mark.parametrize(
    "values",
    [
        {"route": "daily"},
        {"first_seen": NOON - DAY - MINUTE},
        {"attempts": ALERT_ATTEMPTS},
    ],
)
def test_what_is_no_row_for_an_alert_stays_queued(values):
    user = person()
    queue(user, 80, **values)
    before = rows()
    assert claim(user) is None
    assert (rows(), mails()) == (before, [])


def test_quiet_hours_cost_no_freshness():
    user = person(quiet_from="22:00", quiet_until="07:00")
    [id_] = queue(user, 80, first_seen=NOON - DAY - 8 * HOUR)
    queue(user, 90, first_seen=NOON - DAY - 10 * HOUR)
    assert claim(user).mail.envelope == alert_id(id_)


def test_what_the_days_cap_leaves_over_goes_to_the_digest():
    user = person(max_jobs_per_day=2)
    low, high, middle = queue(user, 71, 95, 80)
    claim(user)
    envelope = alert_id(high, middle)
    assert rows() == [
        row(low, "queued", "daily"),
        row(high, "sealed", mail=envelope),
        row(middle, "sealed", mail=envelope),
    ]
    [late] = queue(user, 99)
    assert claim(user, NOON + HOUR) is None
    assert rows()[-1] == row(late, "queued", "daily")


def test_the_cap_is_of_a_local_day():
    user = person(max_jobs_per_day=1, timezone="Asia/Kathmandu")
    queue(user, 80)
    assert claim(user)
    ledger.finish(Mail.objects.get().pk, "sent", now=NOON)
    midnight = NOON.replace(hour=18, minute=15)
    [next_day] = queue(user, 80)
    assert claim(user, midnight).mail.envelope == alert_id(next_day)


@pytest.mark.parametrize(
    ("end", "sealed"), [("sent", 0), ("unconfirmed", 0), ("failed", 1), ("void", 1)]
)
def test_what_certainly_did_not_leave_uses_up_no_cap(end, sealed):
    user = person(max_jobs_per_day=1)
    queue(user, 80)
    claim(user)
    ledger.finish(Mail.objects.get().pk, end, now=NOON)
    queue(user, 70)
    claim(user)
    assert Delivery.objects.filter(status="sealed").count() == sealed


def test_a_digests_jobs_count_too():
    user = person(max_jobs_per_day=2)
    queue(user, 80, 81, route="daily")
    ledger.freeze(user.pk, now=NOON)
    queue(user, 80)
    assert claim(user) is None


def test_more_than_one_mail_holds_wait_for_the_next():
    user = person(max_jobs_per_day=200)
    queue(user, *[80] * (ALERT_JOBS + 1))
    claim(user)
    assert Delivery.objects.filter(status="sealed").count() == ALERT_JOBS
    assert Delivery.objects.filter(status="queued", route="instant").count() == 1


def test_a_mail_that_did_not_leave_is_followed_by_one_of_its_own():
    user = person()
    [id_] = queue(user, 80)
    for attempt in range(1, ALERT_ATTEMPTS + 1):
        assert claim(user).mail.envelope == alert_id(id_, attempt=attempt)
        ledger.finish(alert_id(id_, attempt=attempt), "void", now=NOON)
    assert claim(user) is None
    assert rows() == [row(id_, "queued", attempts=ALERT_ATTEMPTS)]
    assert [m[2] for m in mails()] == ["void"] * ALERT_ATTEMPTS


def test_a_row_staff_queued_again_comes_in_a_mail_of_its_own():
    user = person()
    [id_] = queue(user, 80)
    claim(user)
    ledger.finish(alert_id(id_), "failed", now=NOON)
    assert ledger.requeue([id_], now=NOON) == 1
    assert claim(user).mail.envelope == alert_id(id_, attempt=2)
    assert rows() == [row(id_, "sealed", mail=alert_id(id_, attempt=2), attempts=1)]


def test_rows_of_different_attempts_in_one_mail_never_repeat_an_envelope():
    user = person()
    [old] = queue(user, 80)
    claim(user)
    ledger.finish(alert_id(old), "void", now=NOON)
    [new] = queue(user, 70)
    assert claim(user).mail.envelope == alert_id(old, new, attempt=2)
    ledger.finish(alert_id(old, new, attempt=2), "void", now=NOON)
    assert claim(user).mail.envelope == alert_id(old, new, attempt=3)


def poison(monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    """Let no mail be rendered that holds one of these rows."""
    jobs = {id_.partition("_")[2] for id_ in ids}
    real = render_alert

    def render(context: Any, cards: Any) -> Any:
        if any(card.job_id in jobs for card in cards):
            raise ZeroDivisionError
        return real(context, cards)

    monkeypatch.setattr(compose, "render_alert", render)


def test_a_job_nobody_can_render_stays_out_of_the_mail(monkeypatch):
    user = person()
    bad, good = queue(user, 90, 80)
    poison(monkeypatch, bad)
    assert claim(user).mail.envelope == alert_id(good)
    assert rows() == [row(bad, "queued"), row(good, "sealed", mail=alert_id(good))]


def test_when_nothing_can_be_rendered_nothing_is_claimed(monkeypatch):
    user = person()
    bad, worse = queue(user, 90, 80)
    poison(monkeypatch, bad, worse)
    with pytest.raises(ZeroDivisionError):
        claim(user)
    assert (rows(), mails()) == ([row(bad, "queued"), row(worse, "queued")], [])


def test_rows_nobody_can_be_addressed_for_fail(monkeypatch):
    user = person('"quoted"@example.com')
    [id_] = queue(user, 80)
    claimed = claim(user)
    assert (claimed.mail, claimed.failed) == (None, 1)
    assert rows() == [row(id_, "failed", mail=alert_id(id_))]
    assert mails() == [mail(alert_id(id_), "alert", "failed", attempts=1)]


def test_a_sender_that_is_none_claims_nothing(settings):
    settings.DEFAULT_FROM_EMAIL = "no address"
    user = person()
    [id_] = queue(user, 80)
    with pytest.raises(ValueError, match="sender"):
        claim(user)
    assert (rows(), mails()) == ([row(id_, "queued")], [])


@side_by_side
def test_a_claim_is_its_own_transaction():
    user = person()
    queue(user, 80)
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        claim(user)


@side_by_side
def test_a_claim_whose_commit_failed_raises(monkeypatch):
    user = person()
    [id_] = queue(user, 80)

    def lost(*_: object) -> None:
        connection.connection.rollback()
        raise OperationalError("the connection is lost")

    monkeypatch.setattr(connection, "_commit", lost)
    with pytest.raises(OperationalError):
        claim(user)
    assert (rows(), mails()) == ([row(id_, "queued")], [])


# Side by side


def locked(user: User) -> Preferences:
    return Preferences.objects.select_for_update().get(pk=user.pk)


@side_by_side
def test_of_many_claims_at_once_one_gets_the_mail():
    user = person()
    ids = queue(user, 80, 81, 82)
    answers = behind(partial(locked, user), *[partial(claim, user)] * 4)
    assert sorted(type(a).__name__ for a in answers) == ["Claimed"] + ["NoneType"] * 3
    assert mails() == [mail(alert_id(*ids), "alert", "sending", 3)]
    assert rows() == [row(id_, "sealed", mail=alert_id(*ids)) for id_ in ids]


@side_by_side
def test_claims_of_many_users_at_once_do_not_wait_for_each_other():
    users = [person(f"{letter}@example.com") for letter in "abcd"]
    for user in users:
        queue(user, 80, 90)
    answers = together(*[partial(claim, user) for user in users])
    assert sorted(a.mail.recipient for a in answers) == [user.email for user in users]
    assert len(mails()) == 4


@side_by_side
def test_a_claim_that_waited_sees_the_opt_out_that_came_meanwhile():
    user = person()
    [id_] = queue(user, 80)

    def lock_and_opt_out() -> None:
        locked(user)
        opted_out(user)

    assert behind(lock_and_opt_out, partial(claim, user)) == [None]
    assert (rows(), mails()) == ([row(id_, "queued")], [])


@side_by_side
def test_a_claim_that_waited_sees_the_cap_that_was_used_up_meanwhile():
    user = person(max_jobs_per_day=1)
    best, other = queue(user, 90, 80)
    answers = behind(partial(locked, user), *[partial(claim, user)] * 2)
    assert sorted(type(a).__name__ for a in answers) == ["Claimed", "NoneType"]
    assert rows() == [row(best, "sealed", mail=alert_id(best)), row(other, "queued", "daily")]


@side_by_side
def test_rows_in_somebody_elses_hands_are_left_to_them():
    user = person()
    taken, free = queue(user, 90, 80)
    with transaction.atomic():
        Delivery.objects.select_for_update().get(pk=taken)
        [claimed] = together(partial(claim, user))
    assert claimed.mail.envelope == alert_id(free)
    assert rows()[0] == row(taken, "queued")


@side_by_side
def test_a_deleted_user_is_not_claimed_for():
    user = person()
    queue(user, 80)
    assert behind(User.objects.get(pk=user.pk).delete, partial(claim, user)) == [None]
    assert (rows(), mails()) == ([], [])

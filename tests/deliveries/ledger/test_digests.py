"""Freezing a digest: whose jobs, which day and which bytes, fixed once."""

from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Preferences, User
from deliveries import compose, ledger
from deliveries.messages import render_digest
from deliveries.models import Delivery, Mail
from deliveries.routing import DIGEST_JOBS
from jobs.models import Job
from tests.deliveries.ledger.tables import (
    DAY,
    HOUR,
    digest_id,
    mail,
    mails,
    queue,
    row,
    rows,
)
from tests.deliveries.ledger.test_alerts import PREVENTED
from tests.factories import NOON, person
from tests.threads import behind, together

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)
TODAY = NOON.date()


def freeze(user: User, at: datetime = NOON) -> str | None:
    return ledger.freeze(user.pk, now=at)


def daily(user: User, *scores: int, **values: Any) -> list[str]:
    return queue(user, *scores, route="daily", **values)


def last_digest(user: User) -> date | None:
    return Preferences.objects.get(pk=user.pk).last_digest_on


def test_the_best_rows_are_sealed_and_the_rest_waits():
    user = person()
    ids = daily(user, *range(70, 70 + DIGEST_JOBS + 3))
    envelope = digest_id(user)
    assert freeze(user) == envelope
    assert mails() == [mail(envelope, "digest", "sealed", DIGEST_JOBS)]
    waiting = [row(id_, "queued", "daily") for id_ in ids[:3]]
    sealed = [row(id_, "sealed", "daily", mail=envelope) for id_ in ids[3:]]
    assert rows() == [*waiting, *sealed]
    assert b"3 more" in bytes(Mail.objects.get().body)


def test_equal_scores_go_by_the_jobs_id():
    user = person(max_jobs_per_day=1)
    first, second = daily(user, 80, 80)
    freeze(user)
    assert [r[:2] for r in rows()] == [(first, "sealed"), (second, "queued")]


def test_what_a_new_mail_says_of_itself():
    user = person(timezone="Pacific/Kiritimati", digest_hour=1)
    daily(user, 80)
    freeze(user)
    frozen = Mail.objects.get()
    assert frozen.digest_on == last_digest(user) == date(2026, 11, 26)
    assert (frozen.created_at, frozen.next_attempt_at) == (NOON, NOON)
    assert frozen.recipient == user.email


def test_a_local_date_is_taken_once():
    user = person()
    daily(user, 80)
    assert freeze(user)
    ledger.finish(digest_id(user), "sent", now=NOON, expected=["sealed"])
    [late] = daily(user, 80)
    assert freeze(user, NOON + HOUR) is None
    tomorrow = NOON + 20 * HOUR
    assert freeze(user, tomorrow) == digest_id(user, tomorrow)
    assert rows()[1] == row(late, "sealed", "daily", mail=digest_id(user, tomorrow))


def test_a_date_with_nothing_to_send_is_taken_too():
    user = person()
    assert freeze(user) is None
    assert last_digest(user) == TODAY
    [late] = daily(user, 80)
    assert freeze(user, NOON + HOUR) is None
    assert rows() == [row(late, "queued", "daily")]


def test_not_before_the_hour():
    user = person(digest_hour=13)
    daily(user, 80)
    assert freeze(user) is None
    assert last_digest(user) is None
    assert freeze(user, NOON + HOUR)


@pytest.mark.parametrize("why", sorted(set(PREVENTED) - {"quiet"}))
def test_nothing_is_frozen_for_a_user_who_is(why):
    user = person()
    [id_] = daily(user, 80)
    PREVENTED[why](user)
    assert freeze(user) is None
    assert (rows(), mails()) == ([row(id_, "queued", "daily")], [])


def test_a_digest_comes_in_quiet_hours_and_whatever_the_mode_is_now():
    user = person(mode="instant", quiet_from="11:00", quiet_until="13:00")
    daily(user, 80)
    assert freeze(user)


def test_instant_rows_are_not_the_digests():
    user = person()
    [id_] = queue(user, 80)
    assert freeze(user) is None
    assert rows() == [row(id_, "queued")]


def test_an_open_digest_keeps_the_next_day_untaken():
    user = person()
    daily(user, 80)
    freeze(user)
    [late] = daily(user, 80)
    tomorrow = NOON + 20 * HOUR
    assert freeze(user, tomorrow) is None
    assert last_digest(user) == TODAY
    ledger.finish(digest_id(user), "unconfirmed", now=tomorrow, expected=["sealed"])
    assert freeze(user, tomorrow) == digest_id(user, tomorrow)
    assert rows()[1] == row(late, "sealed", "daily", mail=digest_id(user, tomorrow))


def test_rows_of_a_digest_that_never_left_come_in_the_next_one():
    user = person()
    [id_] = daily(user, 80)
    freeze(user)
    ledger.finish(digest_id(user), "void", now=NOON, expected=["sealed"])
    assert freeze(user, NOON + HOUR) is None
    tomorrow = NOON + 20 * HOUR
    assert freeze(user, tomorrow) == digest_id(user, tomorrow)
    assert rows() == [row(id_, "sealed", "daily", mail=digest_id(user, tomorrow), attempts=1)]


def test_a_date_that_a_wrong_clock_took_is_not_taken_again():
    user = person()
    ahead = NOON + 30 * DAY
    daily(user, 80)
    freeze(user, ahead)
    ledger.finish(digest_id(user, ahead), "sent", now=ahead, expected=["sealed"])
    daily(user, 80)
    assert freeze(user) == digest_id(user)
    ledger.finish(digest_id(user), "sent", now=NOON, expected=["sealed"])
    daily(user, 80)
    assert freeze(user, ahead) is None
    assert len(mails()) == 2


def test_the_days_cap_counts_alerts_too():
    user = person(max_jobs_per_day=3)
    queue(user, 90, 90)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    worse, best = daily(user, 70, 80)
    freeze(user)
    assert mail(digest_id(user), "digest", "sealed", 1) in mails()
    assert row(worse, "queued", "daily") in rows()
    assert row(best, "sealed", "daily", mail=digest_id(user)) in rows()


def test_a_cap_that_is_used_up_takes_the_date():
    user = person(max_jobs_per_day=1)
    queue(user, 90)
    ledger.claim(user.pk, now=NOON, fresh=DAY)
    daily(user, 80)
    assert freeze(user) is None
    assert last_digest(user) == TODAY
    assert freeze(user, NOON + 20 * HOUR)


def test_the_bytes_stay_whatever_happens_to_the_job_the_key_and_the_zone(settings):
    user = person()
    daily(user, 80)
    freeze(user)
    before = bytes(Mail.objects.get().body)
    Job.objects.update(title="Another", description="")
    Preferences.objects.filter(pk=user.pk).update(timezone="Asia/Kathmandu", mode="daily")
    settings.SECRET_KEY = "rotated"
    assert freeze(user, NOON + HOUR) is None
    assert bytes(Mail.objects.get().body) == before


def test_a_job_nobody_can_render_stays_out_of_the_digest(monkeypatch):
    user = person()
    bad, good = daily(user, 90, 80)
    real, poisoned = render_digest, bad.partition("_")[2]

    def render(context: Any, cards: Any, *rest: Any) -> Any:
        if any(card.job_id == poisoned for card in cards):
            raise ZeroDivisionError
        return real(context, cards, *rest)

    monkeypatch.setattr(compose, "render_digest", render)
    assert freeze(user) == digest_id(user)
    assert rows() == [
        row(bad, "queued", "daily"),
        row(good, "sealed", "daily", mail=digest_id(user)),
    ]


def test_a_date_is_not_taken_when_freezing_fails(monkeypatch):
    user = person()
    [id_] = daily(user, 80)
    monkeypatch.setattr(compose, "render_digest", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        freeze(user)
    assert (rows(), mails()) == ([row(id_, "queued", "daily")], [])
    assert last_digest(user) is None


def test_a_digest_nobody_can_be_addressed_for_fails():
    user = person('"quoted"@example.com')
    [id_] = daily(user, 80)
    freeze(user)
    assert rows() == [row(id_, "failed", "daily", mail=digest_id(user))]
    assert mails() == [mail(digest_id(user), "digest", "failed", attempts=1)]


# Dates of users who have nothing queued


def test_skipping_a_date_notes_it_for_those_with_nothing_queued():
    idle, busy, past = (person(f"{name}@example.com") for name in ("idle", "busy", "past"))
    daily(busy, 80)
    queue(past, 80)
    [old] = daily(past, 80)
    ledger.expire([old], "closed", now=NOON)
    due = {user.pk: TODAY for user in (idle, busy, past)}
    assert ledger.skip_day(due) == 2
    assert [last_digest(user) for user in (idle, busy, past)] == [TODAY, None, TODAY]


def test_skipping_several_dates_and_none():
    west, east = person("west@example.com"), person("east@example.com")
    assert ledger.skip_day({west.pk: TODAY, east.pk: TODAY + timedelta(days=1)}) == 2
    assert [last_digest(user) for user in (west, east)] == [TODAY, TODAY + timedelta(days=1)]
    assert ledger.skip_day({}) == 0


# Side by side


def locked(user: User) -> None:
    Preferences.objects.select_for_update().get(pk=user.pk)


@side_by_side
def test_of_many_who_freeze_at_once_one_does():
    user = person()
    ids = daily(user, 80, 81, 82)
    answers = behind(partial(locked, user), *[partial(freeze, user)] * 4)
    assert sorted(map(str, answers)) == sorted([digest_id(user), *["None"] * 3])
    assert mails() == [mail(digest_id(user), "digest", "sealed", 3)]
    assert rows() == [row(id_, "sealed", "daily", mail=digest_id(user)) for id_ in ids]


@side_by_side
def test_a_freeze_that_waited_sees_the_opt_out_that_came_meanwhile():
    user = person()
    [id_] = daily(user, 80)

    def lock_and_opt_out() -> None:
        locked(user)
        PREVENTED["opted out"](user)

    assert behind(lock_and_opt_out, partial(freeze, user)) == [None]
    assert (rows(), mails()) == ([row(id_, "queued", "daily")], [])


@side_by_side
def test_a_row_is_in_one_mail_when_claim_and_freeze_meet():
    user = person()
    queue(user, 80, 81)
    daily(user, 82, 83)
    claim = partial(ledger.claim, user.pk, now=NOON, fresh=DAY)
    behind(partial(locked, user), claim, partial(freeze, user), claim, partial(freeze, user))
    assert sorted(m[3] for m in mails()) == [2, 2]
    assert Delivery.objects.filter(status="sealed").count() == 4


@side_by_side
def test_skipping_a_date_waits_for_nobody():
    held, free = person("held@example.com"), person("free@example.com")
    due = {user.pk: TODAY for user in (held, free)}
    with transaction.atomic():
        locked(held)
        assert together(partial(ledger.skip_day, due)) == [1]
    assert [last_digest(user) for user in (held, free)] == [None, TODAY]

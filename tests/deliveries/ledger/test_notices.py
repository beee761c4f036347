"""Notices among the other mails: what settles, prunes, erases and moves mails knows them, too."""

from datetime import timedelta

import pytest

from accounts.models import Preferences, User
from deliveries import ledger
from deliveries.leaving import delete_account
from deliveries.messages import Rendered
from deliveries.messages.mail_bytes import AddressError
from deliveries.models import Delivery, Mail
from deliveries.moving import change_address
from deliveries.work.patience import BusyError
from tests.admin_browser import act, messages, page, staff
from tests.deliveries.noted import DAY, HOUR, MONDAY, mails, wanting
from tests.factories import JobFactory, queued

pytestmark = pytest.mark.django_db
WRITTEN = Rendered("Something", b"Subject: Something\r\n\r\nText\r\n")
PRESS = "a-press-of-the-button"


def write(person, envelope):
    return WRITTEN


def sample(user, press=PRESS, now=MONDAY):
    return ledger.claim_sample(user.pk, press, write, jobs=2, now=now)


def weekly(user, now=MONDAY):
    return ledger.claim_weekly(user.pk, write, now=now)


CLAIMS = [sample, weekly]


def statuses():
    return [mail[2] for mail in mails()]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_taken_once_and_carries_no_row(claim):
    user = wanting()
    notice = claim(user)
    assert notice.mail.raw == WRITTEN.raw
    assert claim(user) is None
    stored = Mail.objects.get()
    assert (stored.pk, stored.status, bytes(stored.body)) == (
        notice.envelope,
        "sending",
        WRITTEN.raw,
    )
    assert not Delivery.objects.exists()


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_user_nobody_can_address_is_not_tried_again(claim):
    def refuse(person, envelope):
        raise AddressError("no")

    user = wanting()
    if claim is sample:
        notice = ledger.claim_sample(user.pk, PRESS, refuse, jobs=1, now=MONDAY)
    else:
        notice = ledger.claim_weekly(user.pk, refuse, now=MONDAY)
    assert notice.mail is None
    assert statuses() == ["failed"]
    assert claim(user) is None


@pytest.mark.parametrize("claim", CLAIMS)
def test_nobody_who_does_not_exist_gets_one(claim):
    user = wanting()
    User.objects.all().delete()
    assert claim(user) is None


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_late_answer_still_turns_it_into_sent(claim):
    notice = claim(wanting())
    ledger.sweep(now=MONDAY + HOUR, fresh=DAY)
    assert statuses() == ["unconfirmed"]
    expected = ("sending", "unconfirmed")
    ledger.finish(notice.envelope, "sent", now=MONDAY + HOUR, expected=expected)
    assert statuses() == ["sent"]


@pytest.mark.parametrize("claim", CLAIMS)
def test_after_a_restored_backup_an_open_one_is_unconfirmed(claim):
    claim(wanting())
    ledger.give_up_all(now=MONDAY)
    assert statuses() == ["unconfirmed"]


@pytest.mark.parametrize("claim", CLAIMS)
def test_pruned_once_it_is_old(claim):
    ledger.finish(claim(wanting()).envelope, "sent", now=MONDAY)
    assert ledger.prune_mails(before=MONDAY - HOUR, most=9) == 0
    assert ledger.prune_mails(before=MONDAY + HOUR, most=9) == 1


@pytest.mark.parametrize("claim", CLAIMS)
def test_it_goes_with_the_account(claim):
    user = wanting()
    claim(user)
    delete_account(user.pk, now=MONDAY)
    assert not Mail.objects.exists()


@pytest.mark.parametrize("claim", CLAIMS)
def test_an_address_is_not_changed_while_one_is_open_and_then_it_follows(claim):
    user = wanting()
    notice = claim(user)
    with pytest.raises(BusyError):
        change_address(user.pk, "new@example.com", now=MONDAY)
    ledger.finish(notice.envelope, "sent", now=MONDAY)
    new = change_address(user.pk, "new@example.com", now=MONDAY)
    assert Mail.objects.get().user_id == new
    assert ledger.samples_left(new, now=MONDAY + HOUR) == (2 if claim is sample else 3)
    assert ledger.claim_weekly(new, write, now=MONDAY + HOUR) is None or claim is sample


def test_samples_are_counted_over_24_hours():
    user = wanting()
    for number in range(3):
        later = MONDAY + number * HOUR
        assert sample(user, f"{PRESS}-{number}", later)
    assert sample(user, f"{PRESS}-4", MONDAY + 3 * HOUR) is None
    assert ledger.samples_left(user.pk, now=MONDAY + DAY - timedelta(seconds=1)) == 0
    assert sample(user, f"{PRESS}-5", MONDAY + DAY)


def test_a_week_is_free_again_only_when_its_note_did_not_leave_and_after_a_while():
    user = wanting()
    ids = set()
    for wait in (0, 15, 75, 315):
        now = MONDAY + timedelta(minutes=wait)
        assert weekly(user, now - timedelta(minutes=1)) is None
        notice = weekly(user, now)
        ids.add(notice.envelope)
        ledger.finish(notice.envelope, "void", now=now)
    assert (statuses(), len(ids)) == (["void"] * 4, 4)


def test_a_row_recorded_a_moment_before_is_seen_by_the_claim():
    user = wanting()
    queued(user, JobFactory(), queued_at=MONDAY - 30 * DAY, changed_at=MONDAY - 30 * DAY)
    assert weekly(user) is None
    Preferences.objects.update(weekly_note=False)
    assert weekly(user) is None


@pytest.mark.parametrize("claim", CLAIMS)
def test_staff_see_it_and_may_settle_it(claim):
    notice, boss = claim(wanting()), staff()
    shown = page(boss, "deliveries_mail_change", notice.envelope)
    assert "None: a notice carries no row of the ledger." in shown
    ledger.sweep(now=MONDAY + HOUR, fresh=DAY)
    done = act(boss, "deliveries_mail", "settle_as_sent", notice.envelope)
    assert messages(done) == ["Settled as sent: 1 mail with 0 jobs."]
    assert statuses() == ["sent"]

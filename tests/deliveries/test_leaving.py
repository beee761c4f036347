"""Deleting an account: nothing of it stays, nothing comes twice, and nobody is harmed."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.db import connection, transaction

from accounts.deleted_addresses import address_hash
from accounts.enrolment import enrol
from accounts.identity import uid_of
from accounts.models import DeletedAddress, Preferences, Suppression, User
from accounts.profiles import ProfileChanges
from deliveries import ledger
from deliveries.alerts import Sent, send_alert
from deliveries.digest import send_digest
from deliveries.leaving import delete_account
from deliveries.models import Delivery, Mail, MailProvider, Visit
from deliveries.sending.breaker import Breaker
from deliveries.sending.post import Post, _remember
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError
from deliveries.work.wall import Wall
from jobs import tasting
from tests.deliveries.ledger.tables import DAY, HOUR, MINUTE, queue
from tests.deliveries.market import WISHES
from tests.factories import NOON, person
from tests.threads import behind, together
from tests.whole_database import mentions

pytestmark = pytest.mark.django_db(transaction=True)
ANA, UID = "ana@example.com", uid_of("ana@example.com")


def delete(user_id: str = UID) -> bool:
    return delete_account(user_id, now=NOON)


def somebody_with_everything() -> User:
    """Rows in every table that can hold one of a user."""
    ana = person(ANA)
    staff = person("staff@example.com")
    row, *_ = queue(ana, 90, 80)
    sealed = ledger.claim(ana.pk, now=NOON, fresh=DAY)
    assert sealed
    assert sealed.mail
    ledger.finish(sealed.mail.envelope, "sent", now=NOON)
    queue(ana, 70)
    queue(ana, 75, route="daily")
    assert ledger.freeze(ana.pk, now=NOON)
    EmailAddress.objects.create(user=ana, email=ANA, verified=True, primary=True)
    Authenticator.objects.create(user=ana, type=Authenticator.Type.TOTP, data={})
    Suppression.objects.create(user=ana, reason="complained")
    Visit.objects.create(user=ana)
    thumbed = Delivery.objects.get(pk=row).job_id
    assert tasting.give(ana.pk, thumbed, up=True, title="Zebra", now=NOON)
    ana.groups.add(Group.objects.create(name="friends"))
    MailProvider.objects.create(name="smtp", refused_user=ana, changed_at=NOON)
    LogEntry.objects.log_actions(staff.pk, [ana], CHANGE, "seen")
    LogEntry.objects.log_actions(staff.pk, list(Delivery.objects.filter(pk=row)), CHANGE, "x")
    LogEntry.objects.log_actions(ana.pk, [staff], CHANGE, "seen")
    return ana


def test_nothing_of_the_person_stays_but_a_hash_and_a_time():
    somebody_with_everything()
    assert {**mentions(UID), **mentions(ANA)}.keys() >= {"deliveries_mail", "jobs_verdict"}
    assert delete()
    assert (mentions(UID), mentions(ANA)) == ({}, {})
    row = DeletedAddress.objects.get()
    assert row.address_hash == address_hash(ANA)
    assert NOON <= row.deleted_at < NOON + MINUTE
    assert list(MailProvider.objects.values_list("refused_user", flat=True)) == [None]
    assert set(LogEntry.objects.values_list("object_id", "object_repr")) == {
        ("", "a deleted account")
    }


def test_others_keep_everything():
    queue(person("ana2@example.com"), 80)
    before = (list(Delivery.objects.values()), list(Preferences.objects.values()))
    somebody_with_everything()
    delete()
    User.objects.filter(email="staff@example.com").delete()
    assert (list(Delivery.objects.values()), list(Preferences.objects.values())) == before


def test_deleting_twice_or_nobody_is_nothing():
    person(ANA)
    assert [delete(), delete(), delete("nobody")] == [True, False, False]
    assert DeletedAddress.objects.count() == 1


def test_two_at_once_delete_once():
    person(ANA)
    assert sorted(together(delete, delete)) == [False, True]


def test_the_later_of_two_deletions_counts():
    for moment in (NOON, NOON + HOUR, NOON - HOUR):
        person(ANA)
        delete_account(UID, now=moment)
    assert NOON + HOUR <= DeletedAddress.objects.get().deleted_at < NOON + HOUR + MINUTE


def test_a_digest_that_is_being_sent_is_waited_for():
    ana = person(ANA)
    queue(ana, 80, route="daily")
    envelope = ledger.freeze(ana.pk, now=NOON)
    begun = ledger.begin(envelope, now=NOON)

    def hold():
        assert isinstance(ledger.hold(begun, now=NOON), ledger.Held)

    def mark():
        assert ledger.finish(envelope, "sent", now=NOON, expected=["sealed"]) == 1

    assert behind(hold, delete, then=mark) == [True]
    assert (Mail.objects.count(), Delivery.objects.count(), User.objects.count()) == (0, 0, 0)


def test_the_wait_counts_to_the_time_that_is_remembered():
    ana = person(ANA)

    def hold():
        Preferences.objects.select_for_update().get(pk=ana.pk)

    def wait():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.3)")

    assert behind(hold, delete, then=wait) == [True]
    assert DeletedAddress.objects.get().deleted_at >= NOON + timedelta(seconds=0.3)


def test_an_alert_that_is_leaving_finds_nothing_to_mark(smtp, monkeypatch):
    ana = person(ANA)
    queue(ana, 80)
    send = Post.send

    def send_and_delete(post, mail, user_id):
        assert delete()
        return send(post, mail, user_id)

    monkeypatch.setattr(Post, "send", send_and_delete)
    clock = Clock.set_to(NOON)
    with Post(Wall(60), clock) as post:
        assert send_alert(ana.pk, post, fresh=DAY) == Sent(mails=1)
    assert (len(smtp.accepted), Mail.objects.count(), User.objects.count()) == (1, 0, 0)


def test_a_digest_deleted_between_its_beginning_and_its_holding_is_not_sent(smtp, monkeypatch):
    ana = person(ANA)
    queue(ana, 80, route="daily")
    envelope = ledger.freeze(ana.pk, now=NOON)
    begin = ledger.begin

    def begin_and_delete(*args, **kwargs):
        begun = begin(*args, **kwargs)
        assert delete()
        return begun

    monkeypatch.setattr(ledger, "begin", begin_and_delete)
    with Post(Wall(60), Clock.set_to(NOON)) as post:
        send_digest(envelope, post)
    assert smtp.accepted == []


def test_a_lock_that_is_not_to_be_had_is_told_and_changes_nothing():
    ana = person(ANA)

    def impatient():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        return delete()

    def hold():
        User.objects.select_for_update().get(pk=ana.pk)

    def wait():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.3)")

    [raised] = behind(hold, impatient, then=wait)
    assert isinstance(raised, BusyError)
    assert str(raised) == (
        "The account is in use at this moment, and nothing was changed: try again in some minutes."
    )
    assert (User.objects.count(), DeletedAddress.objects.count()) == (1, 0)


def test_a_breaker_that_noted_the_user_forgets_whom():
    ana = person(ANA)
    MailProvider.objects.create(name="smtp", changed_at=NOON)

    def note():
        _remember("smtp", Breaker(refusals=1, refused_user=ana.pk), NOON)

    assert behind(lambda: User.objects.select_for_update().get(), note, delete) == [None, True]
    assert behind(person(ANA).delete, note) == [None]  # it waits, and finds the user gone
    assert MailProvider.objects.values_list("refused_user", "refusals_in_a_row").get() == (None, 1)


def test_deleting_inside_a_transaction_is_refused():
    person(ANA)
    with pytest.raises(RuntimeError), transaction.atomic():
        delete()
    assert User.objects.count() == 1


def record(*job_ids: str):
    rows = [
        ledger.NewRow(user_id=UID, job_id=id_, score=80, threshold=70, title="A job")
        for id_ in job_ids
    ]
    return lambda: ledger.record(rows, now=NOON)


@pytest.mark.parametrize("attempt", range(3))
def test_beside_everything_that_locks_an_account_there_is_one_outcome(attempt):
    ana = person(ANA)
    queue(ana, 90, 85)
    queue(ana, 80, route="daily")
    more = [row.rpartition("_")[2] for row in queue(person("bob@example.com"), 80, 81)]
    answers = together(
        delete,
        lambda: ledger.claim(UID, now=NOON, fresh=DAY),
        lambda: ledger.freeze(UID, now=NOON),
        record(*more),
        lambda: ledger.sweep(now=NOON + 2 * DAY, fresh=DAY),
        lambda: ledger.prune_deliveries(before=NOON + DAY, most=10),
        lambda: ledger.skip_day({UID: NOON.date()}),
    )
    assert answers[0] is True
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert mentions(UID) == {}


@pytest.mark.parametrize("staff", [False, True])
def test_signing_up_while_the_account_goes_makes_a_new_one(staff):
    old = person(ANA)

    def hold():
        Preferences.objects.select_for_update().get(pk=old.pk)

    def sign_up():
        return enrol(ANA, ProfileChanges(), staff=staff)

    answers = behind(hold, delete, sign_up)
    user = User.objects.filter(email=ANA).first()
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    if user is None:  # who deletes came second, and took the account as it was then
        assert answers[1].created is False
    else:
        assert user.date_joined > old.date_joined
        assert user.jobs_from >= NOON
        assert Preferences.objects.filter(pk=user.pk).exists()


def test_a_scan_that_read_the_old_account_queues_nothing_for_the_new_one():
    ana = person(ANA)
    old = [row.rpartition("_")[2] for row in queue(person("bob@example.com"), 80)]
    delete()
    person(ANA)
    assert record(*old)() == frozenset()
    new = [
        row.rpartition("_")[2]
        for row in queue(person("cyd@example.com"), 80, first_seen=NOON + HOUR)
    ]
    assert record(*new)() == {f"{ana.pk}_{new[0]}"}


def test_after_signing_up_again_only_new_jobs_come(market):
    person(ANA, **WISHES)
    market.show(1, 2)
    market.scan()
    assert market.arrived() == [(ANA, (1, 2))]
    assert delete_account(UID, now=market.clock.now())
    market.later(minutes=5)
    person(ANA, **WISHES)
    posted = market.clock.now() - timedelta(minutes=30)
    market.show(3, posted_at=posted.isoformat())  # there before the deletion, fetched after it
    market.show(4)
    market.scan()
    assert market.arrived() == [(ANA, (4,))]
    assert (market.scan().mails_sent, market.arrived()) == (0, [])


def test_a_second_account_on_one_day_gets_a_digest_of_its_own(market):
    wishes = {**WISHES, "mode": "daily", "digest_hour": 0}
    person(ANA, **wishes)
    market.show(1)
    market.scan()
    market.digest()
    delete_account(UID, now=market.clock.now())
    market.later(minutes=5)
    person(ANA, **wishes)
    market.show(2)
    market.scan()
    market.digest()
    assert market.arrived() == [(ANA, (1,)), (ANA, (2,))]
    ids = {mail.raw.partition(b"Message-ID: ")[2].split()[0] for mail in market.smtp.accepted}
    assert len(ids) == 2

"""A change of address: every row gets its new key at once, and nothing is sent again."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from accounts.deleted_addresses import address_hash, remember
from accounts.enrolment import enrol
from accounts.identity import uid_of
from accounts.models import DeletedAddress, OptOutToken, Preferences, Search, Suppression, User
from accounts.opting_out import opt_out, standing
from accounts.profiles import ProfileChanges
from deliveries import ledger
from deliveries.models import Delivery, Mail, MailProvider, Visit
from deliveries.moving import (
    AddressTakenError,
    UnknownUserError,
    change_address,
    columns_of_users,
)
from deliveries.work.patience import BusyError
from jobs.models import Taste, Thumb, Verdict, Watermark
from tests.deliveries.ledger.tables import DAY, HOUR, MINUTE, mails, queue, row, rows
from tests.deliveries.market import WISHES
from tests.deliveries.test_leaving import record, somebody_with_everything
from tests.factories import NOON, person
from tests.threads import behind, together
from tests.whole_database import columns_tied_to_users, mentions

pytestmark = pytest.mark.django_db(transaction=True)
ANA, NEW = "ana@example.com", "ana@new.example"
UID, NEW_UID = uid_of(ANA), uid_of(NEW)


def change(email: str = NEW, user_id: str = UID) -> str:
    return change_address(user_id, email, now=NOON)


def settled() -> User:
    """Somebody with rows in every table, none of whose mails is open."""
    ana = somebody_with_everything()
    digest = Mail.objects.get(status="sealed").pk
    ledger.finish(digest, "sent", now=NOON, expected=["sealed"])
    return ana


def counts() -> list[int]:
    models = (User, Preferences, Search, OptOutToken, Delivery, Mail, Verdict, Visit, Watermark)
    return [model.objects.count() for model in (*models, Thumb, Taste)]


def test_every_column_that_the_database_ties_to_users_is_known():
    found = [(model._meta.db_table, column) for model, column in columns_of_users()]
    assert sorted(found) == sorted(columns_tied_to_users())
    assert ("accounts_user_groups", "user_id") in found
    assert ("deliveries_visit", "user_id") in found


def test_every_row_follows_and_none_is_left_behind():
    settled()
    before, old, keys = counts(), mentions(UID), Delivery.objects.order_by("job_id")
    jobs = list(keys.values_list("job_id", "status", "mail_id", "changed_at"))
    assert change() == NEW_UID
    assert (mentions(UID), mentions(NEW_UID)) == ({}, old)
    assert counts() == before
    assert list(keys.values_list("job_id", "status", "mail_id", "changed_at")) == jobs
    assert User.objects.get(pk=NEW_UID).email == NEW
    assert set(EmailAddress.objects.values_list("email", "user", "verified", "primary")) == {
        (NEW, NEW_UID, True, True)
    }
    assert list(MailProvider.objects.values_list("refused_user", flat=True)) == [NEW_UID]
    assert User.objects.get(pk=NEW_UID).groups.count() == 1


def test_the_old_address_stays_where_mails_say_whom_they_went_to():
    settled()
    change()
    assert mentions(ANA) == {"deliveries_mail": 2, "django_admin_log": 1}
    assert set(Mail.objects.values_list("recipient", flat=True)) == {ANA}


def test_the_history_of_staff_leads_to_the_new_keys():
    settled()
    change()
    ids = LogEntry.objects.exclude(object_id=uid_of("staff@example.com"))
    delivery = Delivery.objects.get(score=90).pk
    assert set(ids.values_list("object_id", flat=True)) == {NEW_UID, delivery}


def test_others_whose_key_begins_alike_are_left_alone():
    other = person("ana2@example.com")
    queue(other, 80)
    before = (mentions(other.pk), list(Delivery.objects.values()))
    person(ANA)
    change()
    assert (mentions(other.pk), list(Delivery.objects.values())) == before


@pytest.mark.parametrize("same", [ANA, " Ana@Example.COM "])
def test_the_same_address_changes_nothing(same):
    person(ANA)
    assert change(same) == UID
    assert DeletedAddress.objects.count() == 0


def test_the_new_address_is_stored_normalised():
    person(ANA)
    assert change(" Ana@NEW.example ") == NEW_UID


@pytest.mark.parametrize("email", ["", "ana", '"a b"@example.com', "ana@faß.de"])
def test_an_address_no_mail_can_be_sent_to_is_refused(email):
    person(ANA)
    with pytest.raises(ValidationError):
        change(email)
    assert list(User.objects.values_list("email", flat=True)) == [ANA]


def test_an_address_of_another_account_is_refused():
    person(ANA)
    person(NEW)
    with pytest.raises(AddressTakenError, match=r"ana@new\.example belongs to another account"):
        change()
    assert sorted(User.objects.values_list("pk", flat=True)) == sorted([UID, NEW_UID])


def test_an_address_that_another_account_proved_is_refused():
    person(ANA)
    bob = person("bob@example.com")
    EmailAddress.objects.create(user=bob, email=NEW, verified=True, primary=False)
    with pytest.raises(AddressTakenError):
        change()


def test_nobody_cannot_be_moved():
    with pytest.raises(UnknownUserError, match="no such account"):
        change()


def test_inside_a_transaction_it_is_refused():
    person(ANA)
    with pytest.raises(RuntimeError), transaction.atomic():
        change()


@pytest.mark.parametrize("route", ["instant", "daily"])
def test_while_a_mail_is_open_it_is_refused(route):
    ana = person(ANA)
    queue(ana, 80, route=route)
    if route == "instant":
        ledger.claim(UID, now=NOON, fresh=DAY)
    else:
        ledger.freeze(UID, now=NOON)
    before = (rows(), mails())
    with pytest.raises(BusyError, match=r"on its way, .* try again in some minutes"):
        change()
    assert (rows(), mails(), list(User.objects.values_list("pk", flat=True))) == (*before, [UID])


def test_a_lock_that_is_not_to_be_had_is_told():
    ana = person(ANA)

    def impatient():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        return change()

    def wait():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.3)")

    held = User.objects.select_for_update().filter(pk=ana.pk)
    [raised] = behind(held.get, impatient, then=wait)
    assert isinstance(raised, BusyError)


def test_links_in_old_mails_go_on_working():
    token = OptOutToken.objects.get(user=person(ANA)).token
    change()
    assert standing(token) == "on"
    assert opt_out(token)
    assert list(Suppression.objects.values_list("user", "reason")) == [(NEW_UID, "opted_out")]


@pytest.mark.parametrize(
    ("reason", "stays"),
    [("bounced", False), ("opted_out", True), ("complained", True), ("staff", True)],
)
def test_only_the_word_that_the_address_does_not_exist_ends_with_it(reason, stays):
    Suppression.objects.create(user=person(ANA), reason=reason)
    change()
    assert Suppression.objects.filter(pk=NEW_UID).exists() is stays


def test_the_searches_are_judged_again_under_the_new_key():
    person(ANA)
    Watermark.objects.update(judged_version=1, judged_to=9)
    change()
    mark = Watermark.objects.get()
    assert (mark.pk, mark.version > mark.judged_version) == (NEW_UID, True)


def test_the_old_mailbox_is_remembered_and_starts_anew():
    queue(person(ANA), 80)
    change()
    noted = DeletedAddress.objects.get()
    assert noted.address_hash == address_hash(ANA)
    assert NOON <= noted.deleted_at < NOON + MINUTE
    again = enrol(ANA, ProfileChanges())
    assert (again.created, again.user.jobs_from) == (True, noted.deleted_at)


def test_what_the_new_mailbox_may_have_seen_expires():
    ana = person(ANA)
    [seen] = queue(ana, 80, first_seen=NOON - HOUR)
    [new] = queue(ana, 90, first_seen=NOON - MINUTE)
    [done] = queue(ana, 70, first_seen=NOON - HOUR)
    ledger.expire([done], "stale", now=NOON)
    remember(NEW, at=NOON - HOUR)
    change()
    assert rows() == [
        row(seen.replace(UID, NEW_UID), "expired", reason="filtered out now"),
        row(new.replace(UID, NEW_UID), "queued"),
        row(done.replace(UID, NEW_UID), "expired", reason="stale"),
    ]
    assert User.objects.get().jobs_from == NOON - HOUR


@pytest.mark.parametrize("own", [NOON - DAY, NOON])
def test_the_later_of_two_beginnings_counts(own):
    person(ANA)
    User.objects.update(jobs_from=own)
    remember(NEW, at=NOON - HOUR)
    change()
    assert User.objects.get().jobs_from == max(own, NOON - HOUR)


def test_two_changes_at_once_have_one_outcome():
    queue(person(ANA), 80)
    answers = together(lambda: change("one@example.com"), lambda: change("two@example.com"))
    [user] = User.objects.values_list("pk", flat=True)
    assert [answer for answer in answers if isinstance(answer, str)] == [user]
    assert sum(isinstance(answer, UnknownUserError) for answer in answers) == 1
    assert Delivery.objects.get().pk.startswith(user)


def test_of_two_people_who_want_one_address_one_gets_it():
    ana, bob = person(ANA), person("bob@example.com")
    answers = together(lambda: change(NEW, ana.pk), lambda: change(NEW, bob.pk))
    assert answers.count(NEW_UID) == 1
    assert sum(isinstance(answer, AddressTakenError) for answer in answers) == 1
    assert User.objects.count() == 2


def test_two_people_who_swap_are_both_refused():
    ana, bob = person(ANA), person("bob@example.com")
    answers = together(lambda: change(bob.email, ana.pk), lambda: change(ana.email, bob.pk))
    # PostgreSQL may have to end a deadlock between the two.
    assert {type(answer) for answer in answers} <= {AddressTakenError, BusyError}
    assert set(User.objects.values_list("pk", "email")) == {(UID, ANA), (bob.pk, bob.email)}


def test_behind_somebody_who_signs_up_there_it_is_refused():
    ana = person(ANA)
    [raised] = behind(lambda: enrol(NEW, ProfileChanges()), change)
    assert isinstance(raised, AddressTakenError)
    assert User.objects.filter(pk=ana.pk).exists()


@pytest.mark.parametrize("attempt", range(3))
@pytest.mark.parametrize("where", [ANA, NEW])
def test_beside_a_sign_up_there_is_one_outcome(where, attempt):
    queue(person(ANA), 80)
    moved, signed_up = together(change, lambda: enrol(where, ProfileChanges()))
    assert not isinstance(signed_up, Exception)
    people = set(User.objects.values_list("email", flat=True))
    if isinstance(moved, AddressTakenError):
        assert people == {ANA, NEW}
    else:
        assert (moved, NEW in people, Delivery.objects.get().user_id) == (NEW_UID, True, NEW_UID)
    assert Preferences.objects.count() == len(people)


def test_who_opts_out_while_the_account_moves_has_opted_out(monkeypatch):
    token, stop = OptOutToken.objects.get(user=person(ANA)).token, Suppression.objects.get_or_create

    def stop_too_late(**values):
        monkeypatch.setattr(Suppression.objects, "get_or_create", stop)
        assert together(change) == [NEW_UID]
        return stop(**values)

    monkeypatch.setattr(Suppression.objects, "get_or_create", stop_too_late)
    assert (opt_out(token), standing(token)) == (True, "opted_out")


@pytest.mark.parametrize("attempt", range(3))
def test_beside_a_scan_and_a_digest_there_is_one_outcome(attempt):
    ana = person(ANA)
    queue(ana, 90)
    queue(ana, 80, route="daily")
    more = [id_.rpartition("_")[2] for id_ in queue(person("bob@example.com"), 80, 81)]
    answers = together(
        change,
        lambda: ledger.claim(UID, now=NOON, fresh=DAY),
        lambda: ledger.freeze(UID, now=NOON),
        record(*more),
        lambda: ledger.sweep(now=NOON, fresh=DAY),
    )
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    assert [error for error in errors if not isinstance(error, BusyError)] == []
    [owner] = User.objects.exclude(email="bob@example.com").values_list("pk", flat=True)
    assert owner == (UID if errors else NEW_UID)
    theirs = Delivery.objects.exclude(user__email="bob@example.com")
    assert set(theirs.values_list("user_id", flat=True)) == {owner}


def test_afterwards_nothing_is_sent_again_and_new_jobs_go_to_the_new_address(market):
    person(ANA, **WISHES)
    market.show(1, 2)
    market.scan()
    assert market.arrived() == [(ANA, (1, 2))]
    assert change_address(UID, NEW, now=market.clock.now()) == NEW_UID
    market.later(minutes=5)
    assert (market.scan().mails_sent, market.arrived()) == (0, [])
    market.show(3)
    market.scan()
    assert market.arrived() == [(NEW, (3,))]
    person(ANA, **WISHES)
    posted = market.clock.now() - timedelta(minutes=30)
    market.show(4)
    market.show(5, posted_at=posted.isoformat())
    market.later(minutes=5)
    market.scan()
    assert market.arrived() == [(ANA, (3, 4)), (NEW, (4, 5))]  # 5 was there before the change


def test_what_waits_goes_to_the_new_address_and_a_digest_a_day_is_enough(market):
    person(ANA, **WISHES, mode="daily", digest_hour=0)
    market.show(1)
    market.scan()
    market.digest()
    market.show(2)
    market.scan()
    change_address(UID, NEW, now=market.clock.now())
    market.digest()
    assert market.arrived() == [(ANA, (1,))]
    market.later(days=1)
    market.digest()
    assert market.arrived() == [(NEW, (2,))]

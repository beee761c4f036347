"""After a backup was restored nothing that was sent since is sent again."""

from collections import Counter
from datetime import date, timedelta

import pytest
from django.db import connection, transaction

from accounts import boundaries
from accounts.enrolment import enrol
from accounts.models import DeletedAddress, Preferences, User
from accounts.profiles import ProfileChanges
from deliveries import ledger
from deliveries.ledger.give_up import GivenUp
from deliveries.models import Delivery, Lease, Mail, WantedRun
from deliveries.restoring import ScanRunsError, after_restore
from deliveries.work import lease
from deliveries.work.clock import Clock, database_time
from deliveries.work.patience import BusyError
from jobs.models import Job
from jobs.sources import SourceError
from tests.deliveries.ledger.tables import DAY, MINUTE, queue, rows
from tests.deliveries.market import WISHES, jobs_of
from tests.deliveries.test_leaving import record
from tests.factories import NOON, person
from tests.simulation import tables
from tests.threads import behind

pytestmark = pytest.mark.django_db(transaction=True)
ANA, DAN = "ana@example.com", "dan@example.com"


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture(autouse=True)
def _no_sources(settings):
    settings.SCOUT_SOURCES = []


@pytest.fixture
def noon() -> Clock:
    return Clock.set_to(NOON)


def last_digests() -> dict[str, date | None]:
    return dict(Preferences.objects.values_list("user__email", "last_digest_on"))


def test_what_waits_expires_and_what_is_open_is_unconfirmed(noon):
    ana, dan = person(ANA), person(DAN, mode="daily")
    [alert] = queue(ana, 90)
    ledger.claim(ana.pk, now=NOON, fresh=DAY)
    [digest] = queue(dan, 90, route="daily")
    ledger.freeze(dan.pk, now=NOON)
    waiting = [*queue(ana, 80), *queue(dan, 80, route="daily")]
    restored = after_restore(noon)
    found = {id_: (status, reason) for id_, status, _, _, reason, *_ in rows()}
    assert found == {
        alert: ("unconfirmed", ""),
        digest: ("unconfirmed", ""),
        **dict.fromkeys(waiting, ("expired", "restored backup")),
    }
    error = "the database was restored from a backup: nobody knows whether it left"
    assert set(Mail.objects.values_list("status", "error", "body")) == {
        ("unconfirmed", error, None)
    }
    assert (restored.users, restored.expired, restored.unconfirmed) == (2, 2, 2)


def test_jobs_begin_at_the_mark_for_everybody_also_for_who_signs_up_next(noon):
    person(ANA)
    User.objects.create_user("bare@example.com")
    later = NOON + timedelta(hours=1)
    person(DAN)
    User.objects.filter(email=DAN).update(jobs_from=later)
    mark = after_restore(noon).mark
    assert NOON <= mark < NOON + MINUTE
    enrol("new@example.com", ProfileChanges())
    assert dict(User.objects.values_list("email", "jobs_from")) == {
        ANA: mark,
        "bare@example.com": mark,
        DAN: later,
        "new@example.com": mark,
    }


@pytest.mark.parametrize(
    ("profile", "last", "then"),
    [
        ({"digest_hour": 12}, None, date(2026, 11, 25)),
        ({"digest_hour": 13}, None, date(2026, 11, 24)),
        ({"digest_hour": 13}, date(2026, 11, 20), date(2026, 11, 24)),
        ({"digest_hour": 13}, date(2026, 11, 25), date(2026, 11, 25)),  # an early digest
        ({"digest_hour": 1, "timezone": "Pacific/Auckland"}, None, date(2026, 11, 26)),
        ({"digest_hour": 0, "timezone": "Pacific/Honolulu"}, None, date(2026, 11, 25)),
        ({"digest_hour": 12}, date(2028, 1, 1), date(2026, 11, 25)),  # by a wrong clock
    ],
)
def test_a_date_that_may_have_been_digested_is_passed_over(noon, profile, last, then):
    person(ANA, **profile)
    Preferences.objects.update(last_digest_on=last)
    skipped = after_restore(noon).digests_skipped
    assert (last_digests(), skipped) == ({ANA: then}, int(last != then))


def test_a_user_whose_time_zone_is_none_stops_nobody(noon):
    person(ANA)
    person(DAN)
    Preferences.objects.filter(user__email=ANA).update(timezone="Nowhere/Land")
    after_restore(noon)
    assert last_digests() == {ANA: date(2026, 11, 26), DAN: date(2026, 11, 25)}


def test_leases_and_asked_for_runs_are_forgotten(noon):
    Lease.objects.create(name="other", token="x", until=database_time() + DAY)
    WantedRun.objects.create(kind="digest", asked_at=NOON)
    after_restore(noon)
    assert (Lease.objects.count(), WantedRun.objects.count()) == (0, 0)


def test_while_a_scan_holds_the_lease_nothing_is_changed(noon, settings):
    queue(person(ANA), 80)
    before = rows()
    assert lease.take("scan", settings.SCOUT_LEASE_SECONDS)
    with pytest.raises(ScanRunsError, match="Stop the worker and cron"):
        after_restore(noon)
    assert (rows(), DeletedAddress.objects.count(), Lease.objects.count()) == (before, 0, 1)


def test_no_scan_begins_meanwhile_and_with_the_lease_off_it_works_too(noon, settings, monkeypatch):
    held = []
    monkeypatch.setattr(
        "deliveries.restoring.fetch_all",
        lambda *_, **__: held.append(lease.is_held("scan", 600)) or 1 / 0,
    )
    for seconds in (600, 0):
        settings.SCOUT_LEASE_SECONDS = seconds
        with pytest.raises(ZeroDivisionError):
            after_restore(noon)
    assert (held, Lease.objects.count()) == ([True, False], 0)


def test_a_source_that_is_none_changes_nothing(noon, settings):
    queue(person(ANA), 80)
    settings.SCOUT_SOURCES = ["nonsense:1"]
    before = rows()
    with pytest.raises(SourceError):
        after_restore(noon)
    assert (rows(), Lease.objects.count()) == (before, 0)


def test_a_source_in_trouble_is_told(noon, settings):
    settings.SCOUT_SOURCES = ["file:/nowhere/posts.json"]
    restored = after_restore(noon)
    assert (restored.sources, restored.healthy) == ({"file": "broken"}, False)


def test_inside_a_transaction_it_is_refused(noon):
    with pytest.raises(RuntimeError), transaction.atomic():
        after_restore(noon)


def test_who_is_at_work_for_too_long_is_told(noon):
    ana = person(ANA)

    def impatient():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        return after_restore(noon)

    def wait():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.3)")

    held = Preferences.objects.select_for_update().filter(pk=ana.pk)
    [raised] = behind(held.get, impatient, then=wait)
    assert isinstance(raised, BusyError)
    assert User.objects.get().jobs_from is None


def test_a_scan_that_is_still_recording_queues_nothing_from_before_the_mark(noon):
    ana = person(ANA)
    jobs = [id_.rpartition("_")[2] for id_ in queue(person(DAN), 80, 81)]

    def restore():
        Preferences.objects.select_for_update().get(pk=ana.pk)
        User.objects.update(jobs_from=NOON)

    [recorded] = behind(restore, record(*jobs))
    assert recorded == frozenset()


def test_twice_is_harmless(noon):
    queue(person(ANA), 80)
    first = after_restore(noon)
    before = rows()
    second = after_restore(noon)
    assert (second.expired, second.unconfirmed, second.digests_skipped) == (0, 0, 0)
    assert (rows(), second.mark > first.mark) == (before, True)


@pytest.mark.parametrize("moment", ["before", "after"])
def test_killed_it_has_done_all_or_nothing_but_fetch(market, moment):
    person(ANA, **WISHES)
    market.show(1)
    with pytest.raises(Killed), boundaries.watched(_kill("restore: start afresh", moment)):
        after_restore(market.clock)
    assert Job.objects.count() == 1
    assert (User.objects.get().jobs_from is None) is (moment == "before")
    Lease.objects.all().delete()  # it heals itself
    after_restore(market.clock)
    market.scan()
    assert market.arrived() == []


def _kill(name, moment):
    def watcher(crossed, when):
        if (crossed, when) == (name, moment):
            raise Killed

    return watcher


def test_the_story_of_a_restored_backup(market):
    """Alerts and digests, a backup, more of both, the backup put back: no job comes twice."""
    person(ANA, **WISHES)
    person(DAN, **WISHES, mode="daily", digest_hour=12)
    market.show(1, 2)
    market.scan()
    market.digest()
    market.later(hours=22)
    market.show(3)
    market.scan()  # 3 waits for the digest of Dan
    rows = tables.backup()
    market.later(hours=1)
    market.show(4)
    market.scan()
    enrol("eve@example.com", ProfileChanges())
    person("eve@example.com", **WISHES)
    market.later(hours=2)
    market.show(5)
    market.scan()
    market.digest()
    tables.restore(rows)
    sent = market.arrived()
    assert Counter(jobs_of(sent)) == {1: 2, 2: 2, 3: 3, 4: 3, 5: 3}
    market.later(minutes=10)
    unseen = market.clock.now() - timedelta(minutes=30)
    restored = after_restore(market.clock)
    assert (restored.expired, restored.new_jobs) == (1, 2)
    person("eve@example.com", **WISHES)
    market.show(6, posted_at=unseen.isoformat())  # posted before the mark, fetched after it
    for _ in range(2):
        market.later(minutes=15)
        market.scan()
        market.digest()
    assert market.arrived() == []
    market.show(7)
    market.scan()
    assert market.arrived() == [(ANA, (7,)), ("eve@example.com", (7,))]
    market.later(days=1)
    market.scan()
    market.digest()
    assert market.arrived() == [(DAN, (7,))]
    assert set(Delivery.objects.values_list("status", flat=True)) == {"sent", "expired"}


def test_without_the_command_they_would_come_again(market):
    person(ANA, **WISHES)
    rows = tables.backup()
    market.show(1)
    market.scan()
    tables.restore(rows)
    market.scan()
    assert jobs_of(market.arrived()) == [1, 1]


def test_giving_up_counts_rows():
    ana = person(ANA)
    queue(ana, 90, 80)
    ledger.claim(ana.pk, now=NOON, fresh=DAY)
    queue(ana, 70)
    assert ledger.give_up_all(now=NOON) == GivenUp(expired=1, unconfirmed=2)

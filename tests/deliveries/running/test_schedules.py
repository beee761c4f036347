"""The worker's schedules: made once, corrected, and never doubled."""

from datetime import UTC, datetime, timedelta

import pytest
from django_q.models import Schedule

from deliveries.running.schedules import SCHEDULES, Synced, sync
from tests.threads import together

DB = pytest.mark.django_db
SCAN = {"name": "scout scan"}


@DB
def test_they_are_made_and_then_left_alone():
    assert sync() == Synced(made=3)
    rows = list(Schedule.objects.order_by("pk").values())
    assert sync() == Synced()
    assert rows == list(Schedule.objects.order_by("pk").values())
    made = {row["name"]: (row["func"], row["cron"]) for row in rows}
    assert made == SCHEDULES
    assert {row["next_run"].minute % 15 for row in rows} == {0, 5, 10}


@DB
@pytest.mark.parametrize(
    "changes",
    [
        {"func": "os.abort"},
        {"cron": "0 0 1 1 *"},
        {"args": "("},
        {"repeats": 0},
        {"schedule_type": "O"},
        {"next_run": datetime(2099, 1, 1, tzinfo=UTC)},
        {"next_run": None},
    ],
)
def test_what_was_changed_is_corrected(changes):
    sync()
    made = Schedule.objects.values().get(**SCAN)
    Schedule.objects.filter(**SCAN).update(**changes)
    assert sync() == Synced(corrected=1)
    again = Schedule.objects.values().get(**SCAN)
    assert abs(again.pop("next_run") - made.pop("next_run")) <= timedelta(minutes=15)
    assert again == made


@DB
def test_a_run_that_is_due_stays_due():
    sync()
    due = datetime(2026, 11, 1, tzinfo=UTC)
    Schedule.objects.filter(**SCAN).update(next_run=due)
    assert sync() == Synced()
    assert Schedule.objects.get(**SCAN).next_run == due


@DB
def test_duplicates_go_and_other_peoples_schedules_stay():
    sync()
    Schedule.objects.create(name="scout scan", func="math.copysign")
    other = Schedule.objects.create(name="theirs", func="math.copysign", args="1, 2")
    assert sync() == Synced(removed=1)
    assert Schedule.objects.count() == 4
    assert Schedule.objects.values().get(name="theirs")["args"] == other.args


@pytest.mark.django_db(transaction=True)
def test_eight_callers_at_once_make_one_set():
    done = together(*[sync] * 8)
    assert sum(one.made for one in done) == 3
    assert sorted(Schedule.objects.values_list("name", flat=True)) == sorted(SCHEDULES)

"""Whatever may run at once, on real connections: one side is held at each of its crossings while
the other runs through, or waits; what they come to together stands in one table."""

import gc
from dataclasses import replace
from typing import Final

import pytest
from django.db import connection

from tests.races import outcomes, sides
from tests.races.held import Race, Side
from tests.races.scene import Scene, scene
from tests.races.trial import Fate, Row, Trial

pytestmark = pytest.mark.django_db(transaction=True)

ALERT: Final[Fate] = ("alert", "sent")
DIGEST: Final[Fate] = ("digest", "sent")
EXPIRED: Final[Fate] = (None, "expired")
UNCONFIRMED: Final[Fate] = (None, "unconfirmed")
ALERT_ONLY: Final[Fate] = ("alert", None)  # nothing is known of it any more
DIGEST_ONLY: Final[Fate] = ("digest", None)
BOTH: Final = {"ana": ALERT, "bo": DIGEST}
SWAPPED: Final = {"ana": DIGEST, "bo": ALERT}
DIGESTS: Final = {"ana": DIGEST, "bo": DIGEST}
ON: Final = 600  # the lease, in seconds

# Where the other side waits, the first may get further before it goes on: then what is listed
# further down may come of it, too.
EXPECTED: Final[dict[str, Row]] = {
    "scan ‖ scan": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.run_scan,
        comes={"": BOTH},
        waits=(
            "before jobs: upsert … before source: keep",
            "before verdicts: keep",
            "before watermark: note",
            "before visit: end",
        ),
    ),
    "scan ‖ scan, with the lease": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.run_scan,
        comes={"": BOTH},
        waits=("before lease: take", "before lease: release"),
        lease=ON,
        only="lease|keep|record|claim|send|end",
    ),
    "digest ‖ digest": Row(
        start=Scene.to_digest,
        held=sides.run_digest,
        beside=sides.run_digest,
        comes={"": DIGESTS},
        waits=("before digest: freeze", "before digest: freeze (2)"),
    ),
    "scan ‖ digest": Row(
        start=Scene.to_scan_and_digest,
        held=sides.run_scan,
        beside=sides.run_digest,
        comes={"": BOTH},
        waits=("before visit: begin", "before ledger: record"),
    ),
    "digest ‖ scan": Row(
        start=Scene.to_scan_and_digest,
        held=sides.run_digest,
        beside=sides.run_scan,
        comes={"": BOTH},
        lease=ON,
    ),
    "prune ‖ scan": Row(
        start=Scene.to_prune,
        held=sides.run_prune,
        beside=sides.run_scan,
        comes={"": BOTH},
        fact=outcomes.old_job_is_forgotten,
        waits=("before prune: a batch (2)",),
        lease=ON,
    ),
    "scan ‖ prune": Row(
        start=Scene.to_prune,
        held=sides.run_scan,
        beside=sides.run_prune,
        comes={"": BOTH},
        fact=outcomes.old_job_is_forgotten,
    ),
    "slow sender ‖ sweep": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.sweep_later,
        comes={"": BOTH},
    ),
    "sweep ‖ slow sender": Row(
        start=Scene.to_end,
        held=sides.sweep_later,
        beside=sides.slow_sender_ends,
        comes={"": BOTH},
        waits=("before mail: finish",),
    ),
    "slow digest ‖ sweep a day later": Row(
        start=Scene.to_digest_for_ana,
        held=sides.run_digest,
        beside=sides.sweep_next_day,
        comes={
            "": SWAPPED,  # jobs of a digest that was not begun wait for the next one
            "after digest: begin": {"ana": UNCONFIRMED, "bo": ALERT},
            "before mail: send": SWAPPED,
        },
    ),
    "scan ‖ opt-out": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.ana_opts_out,
        comes={
            "": {"bo": DIGEST},
            "before visit: begin": {"ana": EXPIRED, "bo": DIGEST},
            "before alert: claim": BOTH,
        },
    ),
    "opt-out ‖ scan": Row(
        start=Scene.to_scan,
        held=sides.ana_opts_out,
        beside=sides.run_scan,
        comes={"": BOTH, "after mail: opt out": {"bo": DIGEST}},
        lease=ON,
    ),
    "digest ‖ opt-out": Row(
        start=Scene.to_digest_for_ana,
        held=sides.run_digest,
        beside=sides.ana_opts_out,
        comes={"": {"ana": EXPIRED, "bo": ALERT}, "before mail: send": SWAPPED},
    ),
    "opt-out ‖ digest": Row(
        start=Scene.to_digest_for_ana,
        held=sides.ana_opts_out,
        beside=sides.run_digest,
        comes={"": SWAPPED, "after mail: opt out": {"ana": EXPIRED, "bo": ALERT}},
    ),
    "sign-up ‖ sign-up": Row(
        start=Scene.two_posts,
        held=sides.cy_signs_up,
        beside=sides.cy_signs_up_elsewhere,
        comes={"": {"cy": DIGEST}},
        fact=outcomes.there_is_one_account,
        waits=("before account: create … before account: enrol",),
    ),
    "re-key ‖ scan": Row(
        start=Scene.to_scan,
        held=sides.ana_moves,
        beside=sides.run_scan,
        comes={"": BOTH},
        fact=outcomes.ana_has_moved,
        lease=ON,
    ),
    "scan ‖ re-key": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.ana_moves,
        comes={"": BOTH},
        fact=outcomes.ana_has_moved,
        waits=(
            "before visit: begin",
            "before searches: prepare",
            "before verdicts: keep",
            "before ledger: record",
            "before watermark: note",
            "before alert: claim",
            "before visit: end",
        ),
        busy=("after alert: claim … before mail: finish",),
    ),
    "re-key ‖ digest": Row(
        start=Scene.to_digest_for_ana,
        held=sides.ana_moves,
        beside=sides.run_digest,
        comes={"": SWAPPED},
        fact=outcomes.ana_has_moved,
        waits=("before account: lock … before session: end",),
    ),
    "digest ‖ re-key": Row(
        start=Scene.to_digest_for_ana,
        held=sides.run_digest,
        beside=sides.ana_moves,
        comes={"": SWAPPED},
        fact=outcomes.ana_has_moved,
        waits=("before digest: freeze",),
        busy=("after digest: freeze … before mail: finish",),
    ),
    "deletion ‖ scan": Row(
        start=Scene.to_scan,
        held=sides.ana_leaves,
        beside=sides.run_scan,
        comes={"": {"bo": DIGEST}},
        fact=outcomes.ana_is_gone,
        lease=ON,
    ),
    "scan ‖ deletion": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.ana_leaves,
        comes={
            "": {"bo": DIGEST},
            "before alert: claim": {"ana": ALERT_ONLY, "bo": DIGEST},
        },
        fact=outcomes.ana_is_gone,
        waits=(
            "before visit: begin",
            "before searches: prepare",
            "before verdicts: keep",
            "before ledger: record",
            "before watermark: note",
            "before alert: claim",
            "before mail: finish",
            "before visit: end",
        ),
    ),
    "deletion ‖ digest": Row(
        start=Scene.to_digest_for_ana,
        held=sides.ana_leaves,
        beside=sides.run_digest,
        comes={"": {"bo": ALERT}},
        fact=outcomes.ana_is_gone,
        waits=("before account: lock … before account: delete",),
    ),
    "digest ‖ deletion": Row(
        start=Scene.to_digest_for_ana,
        held=sides.run_digest,
        beside=sides.ana_leaves,
        comes={
            "": {"bo": ALERT},
            "before mail: send": {"ana": DIGEST_ONLY, "bo": ALERT},
        },
        fact=outcomes.ana_is_gone,
        waits=(
            "before digest: freeze",
            "before digest: begin",
            "before mail: send … before mail: finish",
        ),
    ),
    "restored backup ‖ scan": Row(
        start=Scene.to_scan,
        held=sides.start_afresh,
        beside=sides.run_scan,
        comes={
            "": {"ana": ALERT, "bo": EXPIRED},
            "before account: remember every address": {},
        },
        waits=("before jobs: upsert … before source: keep",),
    ),
    "restored backup ‖ scan, with the lease": Row(
        start=Scene.to_scan,
        held=sides.start_afresh,
        beside=sides.run_scan,
        comes={"": {}},
        waits=("before lease: take", "before restore: start afresh"),
        lease=ON,
    ),
    "scan ‖ restored backup": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.start_afresh,
        comes={
            "": {},
            "before ledger: record": {"ana": EXPIRED, "bo": EXPIRED},
            "before alert: claim": {"ana": ALERT, "bo": EXPIRED},
        },
        waits=(
            "before jobs: upsert … before source: keep",
            "before visit: begin",
            "before ledger: record",
            "before alert: claim",
            "before mail: finish",
        ),
    ),
    "scan ‖ restored backup, with the lease": Row(
        start=Scene.to_scan,
        held=sides.run_scan,
        beside=sides.start_afresh,
        comes={"": {"ana": ALERT, "bo": EXPIRED}},
        waits=("before lease: take", "before lease: release"),
        busy=("after lease: take",),
        lease=ON,
        only="lease: ",
    ),
    "schedules ‖ schedules": Row(
        start=Scene.schedules_amiss,
        held=sides.sync_schedules,
        beside=sides.sync_schedules,
        comes={"": {}},
        fact=outcomes.schedules_are_right,
        waits=("before schedules: sync",),
    ),
}


def deadlocks() -> int:
    """How many this database has seen."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        found: int = cursor.fetchone()[0]
    return found


@pytest.fixture(scope="module", autouse=True)
def _little_garbage():
    """Collecting passes over what was there before: a tenth of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _no_deadlock():
    before = deadlocks()
    yield
    assert deadlocks() == before


def put_to_the_test(row: Row, tmp_path, settings, caplog) -> int:
    """How many meetings there were; all came to what the row says."""
    settings.SCOUT_LEASE_SECONDS = row.lease
    settings.SCOUT_RETENTION_DAYS = 5
    settings.SCOUT_SOURCES = []
    with scene(tmp_path) as here, Side() as first, Side() as second:
        row.start(here)
        trial = Trial(row, here, Race(first, second), caplog)
        found = trial.everywhere()
    assert found.amiss == []
    assert (found.waits, found.busy) == (trial.expand(row.waits), trial.expand(row.busy))
    return found.cases


@pytest.mark.parametrize("name", EXPECTED)
def test_wherever_two_sides_meet_they_come_to_the_same(name, tmp_path, settings, caplog):
    assert put_to_the_test(EXPECTED[name], tmp_path, settings, caplog)


def test_a_lease_that_only_one_side_takes_changes_nothing(tmp_path, settings, caplog):
    for name in ("scan ‖ digest", "scan ‖ re-key", "scan ‖ deletion"):
        row = replace(EXPECTED[name], lease=ON, only="lease: ")
        assert put_to_the_test(row, tmp_path, settings, caplog) == 4

"""The faults that are drawn can strike at every boundary of the pipeline."""

from tests.effects import boundary_names
from tests.simulation.draws import BOUNDARIES

PIPELINE = (
    *("deliveries/scan.py", "deliveries/digest.py", "deliveries/alerts.py"),
    *(
        "deliveries/pruning.py",
        "deliveries/ledger/",
        "deliveries/sending/",
        "deliveries/work/",
        "jobs/",
    ),
)
# Steps of people and staff: drawn as the nth crossing of a deed, or not struck here.
OF_DEEDS = {
    "ledger: erase",  # deleting an account
    "ledger: rekey",  # changing an address
    "ledger: expire",  # the same, when jobs were seen there before
    "ledger: reroute",  # saving preferences
    "ledger: requeue",  # staff, in one statement: tests/deliveries/ledger/test_rows.py
    "quarantine: run again",  # staff: tests/jobs/test_quarantine.py
    "import: keep",  # staff, in one transaction
    "rates: refresh",  # staff, in one statement: tests/jobs/test_exchange.py
    "evaluate: predictions",  # staff, into a file of theirs
    "sample: claim",  # at the press of a button: tests/deliveries/test_samples.py
    "weekly: claim",  # nobody in a simulation wants one: tests/deliveries/test_weekly.py
    # Others and their servers; the market of a simulation is a source of its own.
    *("web: ask", "inbox: count", "inbox: receive", "inbox: forget"),
    *("inbox: make a sender", "inbox: revoke"),
    # A simulation has no language model: tests/jobs/ai/test_crashes.py strikes each of these.
    *("ai: reserve", "ai: ask", "ai: settle", "ai: await", "ai: forget"),
    # One transaction each, beside no mail: tests/jobs/test_tasting.py
    *("taste: thumb", "taste: take back", "taste: reset"),
}


def test_every_boundary_of_the_pipeline_can_be_struck():
    of_pipeline = {name for name, where in boundary_names().items() if where.startswith(PIPELINE)}
    assert of_pipeline - OF_DEEDS <= set(BOUNDARIES)


def test_no_boundary_is_drawn_that_there_is_not():
    assert set(BOUNDARIES) <= boundary_names().keys()

"""How the sources did while somebody waited, in words."""

from datetime import timedelta

import pytest

from deliveries.models import Run
from deliveries.source_week import SourceWeek, in_words, source_troubles
from jobs.source_health import HEALTHY, STATES
from tests.factories import NOON

WEEK = timedelta(days=7)
LOOKS = 7 * 24 * 4


def told(*states, scans=LOOKS):
    return in_words([SourceWeek(of) for of in states], scans=scans, span=WEEK)


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ({"ok": LOOKS}, ()),
        ({"ok": LOOKS - 23, "blocked": 23}, ()),
        ({"ok": LOOKS - 24, "blocked": 24}, "did not let us in for about 6 hours"),
        (
            {"quiet": LOOKS - 40, "broken": 30, "blocked": 10},
            "could not be read for about 10 hours",
        ),
        ({"ok": LOOKS - 200, "throttled": 200}, "asked us to come less often for about 2 days"),
        ({"unauthorised": LOOKS}, "refused us all this time"),
        ({"logged_out": LOOKS - 4, "ok": 4}, "asked us to sign in anew all this time"),
    ],
)
def test_a_source_in_trouble_for_hours_is_told_of(states, words):
    sentence = f"Our source of jobs {words}: posts from there may be missing."
    assert told(states) == ((sentence,) if words else ())


def test_of_several_only_those_in_trouble_the_worst_first():
    found = told({"ok": 9}, {"ok": 5, "blocked": 5}, {"broken": 10})
    assert [words.split(" of jobs ")[1].split(":")[0] for words in found] == [
        "could not be read all this time",
        "did not let us in for about 4 days",
    ]
    assert all(words.startswith("One of our sources of jobs ") for words in found)


def test_without_a_scan_it_is_our_fault():
    assert told({}, scans=0)[0].startswith("We did not look for new jobs in this time")


def test_every_trouble_there_is_has_words():
    for state in set(STATES) - set(HEALTHY):
        assert len(told({state: 1})) == 1


@pytest.mark.django_db
def test_what_scans_of_that_time_noted_counts():
    def run(days, state, **values):
        at = NOON - timedelta(days=days)
        summary = {"sources": {"a": state, "b": "ok"}}
        made = {"kind": "scan", "started_at": at, "finished_at": at, "summary": summary}
        Run.objects.create(**{**made, **values})

    run(8, "broken")
    run(1, "broken", finished_at=None)
    run(1, "broken", kind="digest", summary={})
    run(1, "ok")
    assert source_troubles(begin=NOON - WEEK, now=NOON) == ()
    run(2, "blocked")
    assert source_troubles(begin=NOON - WEEK, now=NOON) == (
        (
            "One of our sources of jobs did not let us in for about 4 days:"
            " posts from there may be missing."
        ),
    )

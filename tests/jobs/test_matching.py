"""Matching a block: which pairs need a verdict, which verdicts are due."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from accounts.terms import SearchTerms
from jobs.matching import FreshJobs, KnownScore, UserSearch, match
from jobs.postings.posting import Posting
from jobs.table import JobTable

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
DJANGO = SearchTerms(name="Django", skills=("Django",), headline="Django developer", min_score=0)
POSTS = (
    Posting(id="a:1", title="Django developer wanted", skills=("Django",)),
    Posting(id="a:2", title="Logo for a bakery", skills=("Logo Design",)),
    Posting(id="a:3", title="Django and React developer", skills=("Django", "React")),
)
JOBS = FreshJobs(
    tuple(p.id for p in POSTS),
    JobTable.of(POSTS, [NOW] * len(POSTS)),
    (NOW,) * len(POSTS),
    tuple(range(1, len(POSTS) + 1)),
)


def judged(searches, *, known=None, settled=()):
    matched = match(searches, JOBS, known=known or {}, settled=frozenset(settled), now=NOW)
    due = {(searches[m.row].search_id, JOBS.ids[m.col]) for m in matched.due}
    return matched.candidates, len(matched.new), due


def test_what_passes_is_scored_and_what_reaches_the_threshold_is_due():
    assert judged([UserSearch("ana", 1, DJANGO)]) == (2, 2, {(1, "a:1"), (1, "a:3")})
    strict = replace(DJANGO, min_score=100, headline="")
    assert judged([UserSearch("ana", 1, strict)])[:2] == (2, 2)


def test_a_pair_with_a_ledger_row_is_left_out():
    assert judged([UserSearch("ana", 1, DJANGO)], settled=[("ana", "a:1"), ("ben", "a:3")]) == (
        1,
        1,
        {(1, "a:3")},
    )


@pytest.mark.parametrize(
    ("score", "own", "due"),
    [
        (80, 1, {(1, "a:1")}),  # its own search still lets it through: that threshold counts
        (60, 1, set()),
        (60, 2, {(2, "a:1")}),
        (60, 9, {(2, "a:1")}),  # its search is gone: the most lenient one that lets it through
    ],
)
def test_a_known_score_is_kept_and_meets_the_present_threshold(score, own, due):
    searches = [
        UserSearch("ana", 1, replace(DJANGO, min_score=70)),
        UserSearch("ana", 2, replace(DJANGO, min_score=50)),
    ]
    known = {("ana", "a:1"): KnownScore(score, own)}
    _, new, found = judged(searches, known=known, settled=[("ana", "a:3")])
    assert (new, found) == (0, due)


def test_one_job_two_searches_gives_one_verdict_from_the_better():
    vague = replace(DJANGO, skills=("React",), headline="")
    found = match(
        [UserSearch("ana", 2, vague), UserSearch("ana", 1, DJANGO)],
        JOBS,
        known={},
        settled=frozenset(),
        now=NOW,
    )
    pairs = sorted((JOBS.ids[m.col], m.row) for m in found.new)
    assert pairs == [("a:1", 1), ("a:3", 1)]


def test_a_search_whose_threshold_is_reached_goes_before_a_better_score():
    picky, easy = replace(DJANGO, min_score=100), replace(DJANGO, headline="")
    searches = [UserSearch("ana", 1, picky), UserSearch("ana", 2, easy)]
    assert judged(searches) == (2, 2, {(2, "a:1"), (2, "a:3")})


def test_jobs_dated_before_the_users_begin_are_not_for_them():
    assert judged([UserSearch("ana", 1, DJANGO, NOW)])[0] == 0
    assert judged([UserSearch("ana", 1, DJANGO, NOW - timedelta(seconds=1))])[0] == 2


def test_what_was_judged_before_is_skipped_unless_the_job_changed_since():
    searches = [UserSearch("ana", 1, DJANGO, judged_to=2), UserSearch("ben", 2, DJANGO)]
    assert judged(searches) == (3, 3, {(1, "a:3"), (2, "a:1"), (2, "a:3")})


def test_nobody_or_nothing_is_no_work():
    assert judged([]) == (0, 0, set())
    empty = FreshJobs((), JobTable.of([], []), (), ())
    assert match([UserSearch("a", 1, DJANGO)], empty, known={}, settled=(), now=NOW).candidates == 0

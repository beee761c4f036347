"""A preview: what an unsaved search would have sent, and which one setting kept the rest out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.search_fields import too_open
from accounts.terms import SearchTerms
from accounts.vocabulary import JOB_TYPES
from jobs.filters import compare, passing
from jobs.invented import postings, searches
from jobs.matching import FreshJobs
from jobs.postings.posting import Posting
from jobs.preview import preview
from jobs.reach import first_seen_now
from jobs.scoring import score
from jobs.scoring.taste import Taste
from jobs.table import JobTable

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
WEEK = timedelta(days=7)
TEXT = "We need a Django and Python back end with PostgreSQL for several weeks, with tests. " * 4
SEARCH = SearchTerms(
    skills=("Django", "Python"),
    headline="Django developer",
    min_hourly=Decimal(50),
    words_none=("wordpress",),
)


def job(number, title="Django developer for an API", **values):
    return Posting(
        **{
            "id": f"a:{number}",
            "title": title,
            "description": TEXT,
            "skills": ("Django", "Python"),
            "job_type": "hourly",
            "hourly_max": Decimal(70),
            "currency": "USD",
            **values,
        }
    )


def fresh(posts, seen=None):
    seen = seen or [p.posted_at or NOW for p in posts]
    table = JobTable.of(posts, seen)
    return FreshJobs(tuple(p.id for p in posts), table, tuple(seen), (1,) * len(posts))


INVENTED = fresh(postings(120, now=NOW, span=WEEK))


def without(search, setting):
    """The search as if this setting did not exist."""
    anything = {"job_types": JOB_TYPES, "min_score": 0, "payment_verified_only": False}
    lists = isinstance(getattr(search, setting), tuple)
    return replace(search, **{setting: anything.get(setting, () if lists else None)})


def test_the_sent_and_the_nearest_misses_with_what_kept_each_out():
    posts = [
        job(1),
        job(2, hourly_max=Decimal(20)),
        job(3, description=TEXT + " WordPress."),
        job(4, "Python script", description="Short.", skills=()),
        job(5, description=TEXT + " WordPress.", hourly_max=Decimal(20)),
        job(6, "A logo", description="Draw.", skills=()),
    ]
    found = preview(SEARCH, fresh(posts), now=NOW, misses=3)
    assert (found.considered, found.sent_count, found.words) == (
        6,
        1,
        "1 of 6 recent jobs would have been sent.",
    )
    assert [(each.posting.id, each.score >= 70) for each in found.sent] == [("a:1", True)]
    assert "Names 2 of your 2 skills: Django (title), Python (tags)" in found.sent[0].reasons
    (two, floor), (three, word), (four, low) = ((m.job, m.kept_out_by) for m in found.near)
    assert [s.sentence for s in floor] == ["Your floor is $50/h; the post offers up to $20/h."]
    assert "Pays up to $20/h, below your floor of $50/h" in two.concerns
    assert [(s.name, s.label) for s in word] == [("words_none", "None of these words")]
    assert [s.sentence for s in low] == [f"It scores {four.score}, your lowest score is 70."]
    assert [p.posting.id for p in (two, three, four)] == sorted(
        ("a:2", "a:3", "a:4"), key=lambda i: {"a:2": -two.score, "a:3": -three.score}.get(i, 0)
    )
    assert found.alone == {"min_hourly": 1, "words_none": 1, "min_score": 1}


def test_a_job_that_two_settings_keep_out_is_shown_only_where_none_is_nearer():
    both = job(5, description=TEXT + " WordPress.", hourly_max=Decimal(20))
    (miss,) = preview(SEARCH, fresh([both]), now=NOW).near
    assert [s.name for s in miss.kept_out_by] == ["min_hourly", "words_none"]
    found = preview(SEARCH, fresh([both, job(2, hourly_max=Decimal(20))]), now=NOW, misses=1)
    assert [m.job.posting.id for m in found.near] == ["a:2"]


def test_words_any_alone_are_one_setting_though_they_are_the_gate_as_well():
    found = preview(SearchTerms(words_any=("zebra",), min_score=0), fresh([job(1)]), now=NOW)
    assert found.alone == {"words_any": 1}
    assert [s.name for s in found.near[0].kept_out_by] == ["words_any"]


@pytest.mark.parametrize(
    ("search", "posts", "words"),
    [
        (SEARCH, [], "There are no recent jobs to try this search on."),
        (
            SearchTerms(min_score=0),
            [job(1), job(2)],
            (
                "All 2 recent jobs would have been sent: nothing is kept out. No filter is set:"
                " only the score decides."
            ),
        ),
        (
            SEARCH,
            [job(2, hourly_max=Decimal(20))],
            (
                "None of the 1 recent jobs would have been sent. "
                "“Hourly rate, at least (US dollars)” alone kept"
                " out 1 job."
            ),
        ),
        (
            replace(SEARCH, min_score=100),
            [job(2, hourly_max=Decimal(20))],
            (
                "None of the 1 recent jobs would have been sent. No single setting is to blame:"
                " each job is kept out by several."
            ),
        ),
    ],
)
def test_the_outcome_is_said_in_words(search, posts, words):
    assert preview(search, fresh(posts), now=NOW).words == words


def test_posted_within_counts_from_when_a_job_was_first_seen_not_from_now():
    seen = NOW - timedelta(days=5)
    early, late = seen - timedelta(hours=1), seen - timedelta(hours=30)
    posts = [job(1, posted_at=early), job(2, posted_at=late)]
    search = replace(SEARCH, posted_within_hours=24)
    found = preview(search, fresh(posts, [seen, seen]), now=NOW)
    assert [each.posting.id for each in found.sent] == ["a:1"]
    (setting,) = found.near[0].kept_out_by
    assert setting.sentence.endswith("it was posted 30 hours ago.")


def test_best_first_then_the_newest_and_no_more_than_asked():
    posts = [job(n) for n in range(8)]
    seen = [NOW - timedelta(hours=(n * 5) % 8) for n in range(8)]
    found = preview(SEARCH, fresh(posts, seen), now=NOW, best=3)
    assert found.sent_count == 8
    assert [each.posting.id for each in found.sent] == ["a:0", "a:5", "a:2"]


@settings(max_examples=25)
@given(
    seed=st.integers(0, 400),
    strict=st.sampled_from([(), ("max_proposals", "min_client_rating")]),
    within=st.sampled_from([None, 24]),
    least=st.integers(0, 100),
)
def test_what_is_sent_passes_and_without_the_named_setting_a_near_miss_does(
    seed, strict, within, least
):
    (search,) = searches(1, seed=seed)
    search = replace(search, strict=strict, posted_within_hours=within, min_score=least)
    table = first_seen_now(INVENTED.table, NOW)
    passed = passing([search], table, NOW)[0]
    found = preview(search, INVENTED, now=NOW, best=120, misses=40)
    place = {job_id: n for n, job_id in enumerate(INVENTED.ids)}
    shown = [*found.sent, *(miss.job for miss in found.near)]
    cols = np.array([place[each.posting.id] for each in shown], dtype=np.intp)
    told = score([search], INVENTED.table, np.zeros_like(cols), cols)
    assert [(s.score, s.reasons, s.concerns) for s in told] == [
        (s.score, s.reasons, s.concerns) for s in shown
    ]
    every = score([search], INVENTED.table, np.zeros(120, np.intp), np.arange(120))
    reached = np.array([each.score >= least for each in every])
    assert {each.posting.id for each in found.sent} == {
        INVENTED.ids[n] for n in np.flatnonzero(passed & reached)
    }
    assert found.sent_count == (passed & reached).sum()
    assert {len(miss.kept_out_by) for miss in found.near} <= {1, 2}
    alone = [miss for miss in found.near if len(miss.kept_out_by) == 1]
    assert len(alone) == min(40, sum(found.alone.values()))
    for miss in found.near:
        col = place[miss.job.posting.id]
        freed = search
        for setting in miss.kept_out_by:
            assert not passed[col] or setting.name == "min_score"
            freed = without(freed, setting.name)
        # Without its only filter it would let everything through, and so lets nothing.
        assert passing([freed], table, NOW)[0, col] or too_open(freed)
        assert miss.job.score >= freed.min_score
    failing = [
        {c.name for c in compare(search, table, n, NOW) if not c.passed}
        | (set() if reached[n] else {"min_score"})
        for n in range(120)
    ]
    for name, count in found.alone.items():
        assert count == failing.count({name})


def test_a_taste_moves_what_is_shown():
    posts = [job(1), job(2, "Django developer for a zebra")]
    search = replace(SEARCH, min_score=0)
    plain = {each.posting.id: each for each in preview(search, fresh(posts), now=NOW).sent}
    found = preview(search, fresh(posts), now=NOW, taste=Taste({"zebra": -4.0}))
    moved = {each.posting.id: each for each in found.sent}
    assert moved["a:1"] == plain["a:1"]
    assert moved["a:2"].score == plain["a:2"].score - 4
    assert moved["a:2"].concerns[-1] == "You turned down jobs about zebra: −4"

"""What all searches of somebody only just kept out."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.search_fields import too_open
from jobs.invented import searches
from jobs.nearest import POINTS_AWAY, nearest
from jobs.preview import preview
from tests.jobs.test_preview import INVENTED, NOW, SEARCH, TEXT, fresh, job


def ids(found):
    return [each.miss.job.posting.id for each in found]


def test_the_nearest_come_first_each_with_what_kept_it_out():
    posts = [
        job(1),
        job(2, hourly_max=Decimal(20)),
        job(3, description=TEXT + " WordPress.", hourly_max=Decimal(20)),
        job(4, "A logo", description="Draw.", skills=()),
    ]
    found = nearest([SEARCH], fresh(posts), now=NOW)
    assert [[each.name for each in one.miss.kept_out_by] for one in found] == [
        ["min_hourly"],
        ["min_hourly", "words_none"],
    ]
    assert ids(found) == ["a:2", "a:3"]


def test_what_another_search_lets_through_is_no_miss():
    posts = fresh([job(1, hourly_max=Decimal(20)), job(2, hourly_max=Decimal(5))])
    low = replace(SEARCH, min_hourly=Decimal(10))
    assert ids(nearest([SEARCH], posts, now=NOW)) == ["a:1", "a:2"]
    found = nearest([SEARCH, low], posts, now=NOW)
    assert (ids(found), found[0].search) == (["a:2"], 0)  # as near to both: the first


def test_some_are_left_out_and_only_so_many_come():
    posts = fresh([job(n, hourly_max=Decimal(20)) for n in range(1, 9)])
    assert len(nearest([SEARCH], posts, now=NOW, most=3)) == 3
    assert ids(nearest([SEARCH], posts, now=NOW, leave_out={f"a:{n}" for n in range(2, 9)})) == [
        "a:1"
    ]
    assert nearest([], posts, now=NOW) == []


def test_a_score_far_below_is_no_near_miss():
    python = fresh([job(1, "Python script", description="Short.", skills=())])
    [kept_out] = preview(SEARCH, python, now=NOW).near
    near = replace(SEARCH, min_score=kept_out.job.score + POINTS_AWAY)
    assert ids(nearest([near], python, now=NOW)) == ["a:1"]
    assert nearest([replace(near, min_score=near.min_score + 1)], python, now=NOW) == []


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_one_search_alone_misses_what_its_preview_says(seed):
    [search] = searches(1, seed=seed)
    search = replace(search, active=True)
    if too_open(search):
        return
    shown = preview(search, INVENTED, now=NOW, misses=200)
    far = search.min_score - POINTS_AWAY
    near = [m.job.posting.id for m in shown.near if m.job.score >= far]
    found = ids(nearest([search], INVENTED, now=NOW, most=200))
    assert sorted(found) == sorted(near)

"""`manage.py bench`: the real scan, timed, in a database of which nothing is left."""

import re
import time
import types
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from deliveries.bench import PARTS
from deliveries.bench.page_times import PageError, page_times
from deliveries.bench.plain import comparison_seconds
from deliveries.bench.stopwatch import Part, Stopwatch
from jobs.filters import passing
from jobs.invented import postings, searches
from jobs.table import JobTable
from tests.factories import NOON, JobFactory, person
from tests.processes import environment, run
from tests.whole_database import tables


def databases():
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database ORDER BY 1")
        return [name for (name,) in cursor.fetchall() if "_bench_" in name]


def rows():
    counts = {}
    with connection.cursor() as cursor:
        for table in tables():
            cursor.execute(f'SELECT count(*) FROM "{table}"')
            counts[table] = cursor.fetchone()[0]
    return counts


@pytest.mark.process
@pytest.mark.django_db(transaction=True)
def test_a_whole_measurement_leaves_nothing_and_touches_nothing_real():
    person("ana@example.com", words_any=["django"], min_score=0)
    JobFactory.create()
    before = rows()
    ended = run("bench", "--users", "40", "--jobs", "60", env=environment(1))
    assert ended.code == 0, ended.errors
    found = ended.summary
    assert (found["users"], found["jobs"], found["pairs"]) == (40, 60, 2400)
    assert 0 < found["queued"] <= found["verdicts"] <= found["passed"]
    stages = {part.stage for part in PARTS} | {"prepare", "other"}
    assert set(found["seconds"]) == stages
    assert all(seconds >= 0 for seconds in found["seconds"].values())
    assert sum(found["seconds"].values()) == pytest.approx(found["scan_seconds"], abs=0.02)
    assert all(ratio > 0 for ratio in found["ratios"].values())
    assert found["preview_ms"]["median"] <= found["preview_ms"]["worst"]
    assert found["peak_mb"] > 50
    assert rows() == before
    assert databases() == []


@pytest.mark.django_db(transaction=True)
def test_every_page_is_timed_beside_the_barest(settings, mailoutbox, wall):
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    found = page_times(200, wall=wall)
    assert found["/privacy/"]["ratio"] == 1
    assert {"/jobs/", "/jobs/near/", "/preferences/", "/mail/", "/why/", "/account/"} <= set(found)
    assert all(times["median"] > 0 for times in found.values())


@pytest.mark.django_db(transaction=True)
def test_a_page_that_does_not_answer_is_named(wall):
    with pytest.raises(PageError, match="No job fits"):
        page_times(1, wall=wall)


@pytest.mark.parametrize("users", ["0", "-3", "many"])
def test_a_number_that_is_none_is_refused(users):
    with pytest.raises(CommandError, match="is not a number from 1"):
        call_command("bench", "--users", users)


def test_a_stage_inside_another_counts_for_itself_only():
    ticks = iter([0, 10, 13, 20])
    watch = Stopwatch(timer=lambda: next(ticks))
    with watch.stage("outer"), watch.stage("inner"):
        pass
    assert watch.seconds == {"outer": 17, "inner": 3}


def test_functions_are_timed_under_their_callers_name_and_given_back():
    module = types.ModuleType("some")
    module.work = lambda: "done"
    seen = []
    part = Part("stage", module, "work", "then", seen.append)
    original, watch = module.work, Stopwatch(timer=time.perf_counter)
    with watch.watching([part]):
        assert module.work() == "done"
    assert module.work is original
    assert seen == ["done"]
    assert watch.seconds.keys() == {"stage", "then"}


def test_a_part_that_is_no_longer_there_is_an_error_not_a_missing_stage():
    module = types.ModuleType("some")
    with pytest.raises(AttributeError), Stopwatch().watching([Part("stage", module, "gone")]):
        pass


def test_the_invented_market_is_varied_and_about_one_pair_in_a_hundred_passes():
    posts = postings(400, now=NOON, span=timedelta(hours=12))
    share = passing(searches(400), JobTable.of(posts, [NOON] * 400), NOON).mean()
    assert 0.005 < share < 0.02
    assert len({post.description for post in posts}) == 400
    assert not [post for post in posts if re.search(r"[{}]", post.title + post.description)]
    assert posts[:10] == postings(10, now=NOON, span=timedelta(hours=12))
    assert comparison_seconds(searches(5), posts[:10]) > 0

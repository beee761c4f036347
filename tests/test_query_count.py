"""How many queries a run takes does not depend on how many users and jobs there are."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from deliveries.digest import digest
from deliveries.scan import scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.scoring import offer
from tests import processes
from tests.factories import NOON, person
from tests.processes import post

pytestmark = pytest.mark.django_db(transaction=True)


def queries_of(run) -> int:
    """How many queries one run takes."""
    with CaptureQueriesContext(connection) as captured:
        run()
    return len(captured)


def scan_of(users: int, jobs: int, tmp_path, settings, *, mailed: int = 0, **profile) -> int:
    """The queries of one scan of a file of so many new jobs, `mailed` users getting two of them."""
    call_command("flush", interactive=False, verbosity=0)
    offer.forget()  # as a new process does
    for number in range(users):
        terms = (
            {"words_any": ["special"], "min_score": 0} if number < mailed else {"min_score": 100}
        )
        person(f"user{number}@example.com", **terms, **profile)
    titles = ["Special work"] * 2 + ["Django developer"] * (jobs - 2)
    posts = [post(n, title, posted_at=NOON.isoformat()) for n, title in enumerate(titles)]
    settings.SCOUT_SOURCES = [processes.write_posts(tmp_path / f"{users}.json", posts)]
    summaries = []
    count = queries_of(lambda: summaries.append(scan(Clock.set_to(NOON), Wall(600))))
    assert (summaries[0].new_jobs, summaries[0].mails_sent) == (jobs, mailed)
    assert summaries[0].verdicts >= (users - mailed) * (jobs - 2)
    return count


@pytest.mark.parametrize("mailed", [0, 2])
def test_a_scan_takes_as_many_queries_for_many_as_for_few(tmp_path, settings, smtp, mailed):
    few = scan_of(3, 20, tmp_path, settings, mailed=mailed)
    again_few = queries_of(lambda: scan(Clock.set_to(NOON), Wall(600)))
    many = scan_of(30, 200, tmp_path, settings, mailed=mailed)
    again_many = queries_of(lambda: scan(Clock.set_to(NOON), Wall(600)))
    print(f"{few} and {many} queries, {again_few} and {again_many} at rest")  # noqa: T201
    assert (few, again_few) == (many, again_many)


def test_a_digest_with_nobody_due_takes_as_many_queries_for_many_as_for_few(
    tmp_path, settings, smtp
):
    counts = []
    for users, jobs in ((3, 20), (30, 200)):
        daily = {"mode": "daily", "digest_hour": 18}
        scan_of(users, jobs, tmp_path, settings, **daily)
        counts.append(
            queries_of(lambda: digest(Clock.set_to(NOON + timedelta(hours=1)), Wall(600)))
        )
    print(f"{counts} queries")  # noqa: T201
    assert counts[0] == counts[1]

"""Storing postings: once, first seen for ever, the more trusted text wins."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from jobs.models import Job
from jobs.postings.posting import Posting
from jobs.store import store
from jobs.verdicts import table_of
from tests.factories import JobFactory

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
POSTING = Posting(
    id="upwork:1990000000000000001",
    url="https://www.upwork.com/jobs/~021990000000000000001",
    title="Django developer",
    description="A long text.",
    skills=("Django", "Python"),
    job_type="hourly",
    hourly_min=Decimal("30.00"),
    hourly_max=Decimal("60.50"),
    currency="USD",
    client_country="DE",
    client_rating=Decimal("4.95"),
    posted_at=NOW - timedelta(hours=1),
)


def keep(*postings, trust=20, now=NOW):
    return store(postings, source="file", trust=trust, now=now)


def test_a_posting_comes_back_as_it_was_stored():
    assert keep(POSTING).new == 1
    job = Job.objects.get()
    assert job.posting() == POSTING
    assert (job.first_seen, job.fetched_at, job.source, job.trust) == (NOW, NOW, "file", 20)


def test_again_writes_nothing():
    keep(POSTING)
    before = Job.objects.values().get()
    assert keep(POSTING, now=NOW + timedelta(hours=1)).new == 0
    assert Job.objects.values().get() == before


def test_a_change_is_taken_over_and_first_seen_stays():
    keep(POSTING)
    later = NOW + timedelta(hours=1)
    assert keep(replace(POSTING, title="Django lead"), now=later).new == 0
    job = Job.objects.get()
    assert (job.title, job.first_seen, job.fetched_at) == ("Django lead", NOW, later)


@pytest.mark.parametrize(
    ("hours", "estimated", "kept"), [(-1, True, True), (1, True, False), (None, False, False)]
)
def test_a_date_is_kept_with_whether_it_was_estimated(hours, estimated, kept):
    keep(POSTING)
    moment = None if hours is None else POSTING.posted_at + timedelta(hours=hours)
    keep(replace(POSTING, posted_at=moment, posted_at_estimated=estimated))
    keep(replace(POSTING, title="Another", posted_at_estimated=False))
    assert Job.objects.get().posted_at_estimated is kept


def test_saying_less_erases_nothing():
    keep(POSTING)
    keep(Posting(id=POSTING.id, title="Django developer"), now=NOW + timedelta(hours=1))
    assert Job.objects.get().posting() == POSTING


def test_a_less_trusted_source_changes_nothing():
    keep(POSTING, trust=30)
    keep(replace(POSTING, title="spam"), trust=10)
    assert Job.objects.get().title == "Django developer"


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [(-1, 0, -1), (0, -1, -1), (None, -1, -1), (-1, None, -1), (48, 0, 0)],
)
def test_a_post_dated_anew_keeps_its_first_date(first, second, kept):
    for hours in (first, second):
        posted = None if hours is None else NOW + timedelta(hours=hours)
        keep(replace(POSTING, posted_at=posted))
    assert Job.objects.get().posted_at == NOW + timedelta(hours=kept)


@pytest.mark.parametrize(("posted", "dated"), [(-5, -5), (5, 0), (None, 0)])
def test_freshness_counts_from_the_post_but_never_from_the_future(posted, dated):
    moment = None if posted is None else NOW + timedelta(hours=posted)
    keep(replace(POSTING, posted_at=moment))
    assert Job.objects.get().dated_at == NOW + timedelta(hours=dated)


def test_of_two_with_one_id_the_later_counts():
    assert keep(POSTING, replace(POSTING, title="Second")).new == 1
    assert Job.objects.get().title == "Second"


def test_what_the_database_refuses_is_left_out_alone():
    bad = replace(POSTING, id="upwork:bad", hourly_max=Decimal("1e15"))
    others = [replace(POSTING, id=f"upwork:{n}") for n in range(9)]
    stored = keep(*others[:4], bad, *others[4:])
    assert (stored.new, stored.refused) == (9, ("upwork:bad",))
    assert Job.objects.count() == 9


GERMAN = (
    "Wir suchen einen erfahrenen Entwickler, der unseren Laden im Netz pflegt und ausbaut."
    " Die Arbeit dauert einige Wochen und beginnt sofort."
)


def test_category_country_and_language_are_kept_with_the_job():
    told = replace(POSTING, category="legal", worker_countries=("DE", "AT"), description=GERMAN)
    keep(told)
    keep(replace(POSTING, description="", title="A"))
    job = Job.objects.get()
    assert (job.category, job.worker_countries, job.language) == ("legal", ["DE", "AT"], "de")
    assert table_of(Job.objects.all()).table.languages == ("de",)


def test_a_job_stored_before_is_looked_at_when_it_is_read():
    JobFactory(description=GERMAN, language=None)
    assert table_of(Job.objects.all()).table.languages == ("de",)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("job_category_known", {"category": "fishing"}),
        ("job_language_shape", {"language": "e1"}),
        ("job_language_shape", {"language": "EN"}),
        ("job_worker_countries_shape", {"worker_countries": ["us"]}),
    ],
)
def test_the_database_refuses_what_is_no_such_fact(name, values):
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        JobFactory(**values)

"""Licence periods: the text goes in time, what was made of it stays, a new fetch begins anew."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from jobs.fetching import fetch_all
from jobs.inbox import senders
from jobs.licence import GOES, end_periods
from jobs.models import InboxMessage, InboxSender, Job, QuarantinedRow, Verdict
from jobs.postings.posting import Posting
from jobs.sources.inbox import InboxSource
from jobs.store import store
from jobs.verdicts import fresh_jobs
from tests.factories import person, verdict

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
DAY = timedelta(hours=24)
TELLING = "zyzzyva"
POSTING = Posting(
    id="upwork:1990000000000000001",
    url="https://www.upwork.com/jobs/~021990000000000000001",
    title=f"A {TELLING} title",
    description=f"Some {TELLING} text.",
    skills=(f"{TELLING} skill",),
    job_type="hourly",
    hourly_min=Decimal("31.31"),
    hourly_max=Decimal("62.62"),
    fixed_budget=Decimal("1234.56"),
    currency="XPF",
    experience_level="expert",
    duration="semester",
    client_country="GL",
    client_spent=Decimal("98765.43"),
    client_hires=4711,
    client_hire_rate=Decimal("77.77"),
    client_payment_verified=True,
    client_rating=Decimal("4.87"),
    proposals=3457,
    posted_at=NOW - timedelta(hours=1),
)


def keep(posting=POSTING, now=NOW, keeps=DAY, trust=20):
    until = None if keeps is None else now + keeps
    return store([posting], source="feed", trust=trust, now=now, text_until=until)


def state(name="text_until"):
    return Job.objects.values_list(name, flat=True).get()


@pytest.mark.django_db
def test_until_its_period_is_over_a_text_stays_then_all_of_it_goes_at_once():
    keep()
    assert end_periods(NOW + DAY - timedelta(seconds=1)) == 0
    assert Job.objects.get().posting() == POSTING
    assert end_periods(NOW + DAY) == 1
    job = Job.objects.get()
    assert {name: getattr(job, name) for name in GOES} == dict.fromkeys(GOES) | {
        "title": "",
        "description": "",
        "skills": [],
        "worker_countries": [],
    }
    assert (job.pk, job.url, job.posted_at) == (POSTING.id, POSTING.url, POSTING.posted_at)
    assert (job.first_seen, job.fetched_at, job.text_dropped_at) == (NOW, NOW, NOW + DAY)


@pytest.mark.django_db
def test_again_changes_nothing():
    keep()
    end_periods(NOW + DAY)
    before = Job.objects.values().get()
    assert end_periods(NOW + DAY + timedelta(minutes=15)) == 0
    assert Job.objects.values().get() == before


@pytest.mark.django_db
def test_without_a_period_a_text_stays():
    keep(keeps=None)
    assert end_periods(NOW + 400 * DAY) == 0
    assert Job.objects.get().posting() == POSTING


@pytest.mark.django_db
def test_a_job_whose_text_is_gone_matches_nobody_until_it_is_fetched_again():
    keep()
    later, week = NOW + DAY, 7 * DAY
    assert fresh_jobs(now=later, fresh=week).ids == (POSTING.id,)
    end_periods(later)
    assert fresh_jobs(now=later, fresh=week).ids == ()
    keep(now=later)
    assert (state(), state("text_dropped_at"), state("first_seen")) == (later + DAY, None, NOW)
    assert fresh_jobs(now=later, fresh=week).ids == (POSTING.id,)
    assert Job.objects.get().posting() == POSTING


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "renewed"), [(0, False), (11, False), (13, True), (23, True)])
def test_the_same_post_fetched_again_begins_anew_once_half_is_over(hours, renewed):
    keep()
    revision, later = state("revision"), NOW + timedelta(hours=hours)
    keep(now=later)
    assert state() == (later if renewed else NOW) + DAY
    assert state("revision") == revision  # nobody is judged again for it


@pytest.mark.django_db
def test_what_only_an_older_fetch_said_is_not_kept_longer_for_a_newer_one():
    keep()
    later = NOW + timedelta(hours=20)
    keep(Posting(id=POSTING.id, title="Only a title"), now=later)
    assert (state("description"), state()) == (POSTING.description, NOW + DAY)
    end_periods(NOW + DAY)
    assert TELLING not in repr(Job.objects.values().get())


@pytest.mark.django_db
def test_the_strictest_licence_holds_for_words_of_two_sources():
    keep(keeps=None)
    keep(replace(POSTING, title="Another"), now=NOW)
    assert state() == NOW + DAY
    keep(Posting(id=POSTING.id, title="A third"), keeps=None)
    assert state() == NOW + DAY
    keep(replace(POSTING, title="Whole"), keeps=None)
    assert state() is None


@pytest.mark.django_db
def test_a_posting_that_adds_nothing_binds_nothing():
    keep(keeps=None)
    keep()
    assert state() is None


@pytest.mark.django_db
def test_a_period_that_a_wrong_clock_set_is_set_right():
    keep(now=NOW + 30 * DAY)
    keep()
    assert state() == NOW + DAY


@pytest.mark.django_db
def test_a_verdict_keeps_score_and_reasons_and_forgets_what_the_post_said():
    keep()
    job = Job.objects.get()
    said = {"compared": {"min_hourly": ["your floor", TELLING]}, "concerns": ["It is far."]}
    verdict(person(), job, 88, parts={"start": 63, "skills": 25}, **said)
    end_periods(NOW + timedelta(hours=1))
    assert Verdict.objects.get().compared == said["compared"]
    end_periods(NOW + DAY)
    row = Verdict.objects.get()
    assert (row.score, row.reasons, row.concerns) == (88, ["It fits."], ["It is far."])
    assert (row.compared, row.parts) == ({}, {"start": 63, "skills": 25})
    Verdict.objects.update(**said)  # a scan that had read the text before writes it only now
    end_periods(NOW + DAY + timedelta(minutes=15))
    assert Verdict.objects.get().compared == {}


def leftovers(words):
    """Which words are in any column of any row of jobs and quarantine."""
    found = set()
    with connection.cursor() as cursor:
        for table in ("jobs_job", "jobs_quarantinedrow"):
            cursor.execute(f"SELECT r::text FROM {table} r")
            text = "\n".join(row for (row,) in cursor.fetchall())
            found |= {word for word in words if word in text}
    return found


optional = {
    "job_type": st.sampled_from(["hourly", "fixed"]),
    "hourly_max": st.just(POSTING.hourly_max),
    "fixed_budget": st.just(POSTING.fixed_budget),
    "client_country": st.just("GL"),
    "client_spent": st.just(POSTING.client_spent),
    "client_hires": st.just(4711),
    "client_rating": st.just(POSTING.client_rating),
    "proposals": st.just(3457),
}
postings = st.builds(
    Posting,
    id=st.just(POSTING.id),
    title=st.just(POSTING.title),
    description=st.sampled_from(["", POSTING.description]),
    skills=st.sampled_from([(), POSTING.skills]),
    **{name: st.none() | values for name, values in optional.items()},
)
WORDS = (TELLING, "62.62", "1234.56", "GL", "98765.43", "4711", "4.87", "3457", "hourly", "fixed")


class NothingIsLeft(TestCase):
    """Whatever fetches come in whatever order."""

    @given(fetches=st.lists(st.tuples(st.integers(0, 30), postings), min_size=1, max_size=5))
    def test_a_period_after_the_last_fetch_no_column_holds_a_word_of_the_post(self, fetches):
        hours = 0
        for gap, posting in fetches:
            hours += gap
            end_periods(NOW + timedelta(hours=hours))
            keep(posting, now=NOW + timedelta(hours=hours))
            assert Job.objects.get().text_until <= NOW + timedelta(hours=hours) + DAY
        end_periods(NOW + timedelta(hours=hours) + DAY)
        assert leftovers(WORDS) == set()
        assert Job.objects.values_list("pk", "first_seen").get() == (
            POSTING.id,
            NOW + timedelta(hours=fetches[0][0]),
        )


@pytest.mark.django_db
def test_quarantined_rows_go_with_the_period_of_their_source_else_with_the_retention(settings):
    settings.SCOUT_RETENTION_DAYS = 3
    about = {"trust": 20, "kind": "rejected", "reason": "no title", "raw": TELLING, "whole": True}
    times = {"first_seen": NOW, "seen_at": NOW, "fetched_at": NOW}
    for source, until in (("feed", NOW + DAY), ("file", None)):
        QuarantinedRow.objects.create(source=source, until=until, **about, **times)
    left = []
    for hours in (23, 24, 71, 72):
        end_periods(NOW + timedelta(hours=hours))
        left.append(list(QuarantinedRow.objects.order_by("pk").values_list("source", flat=True)))
    assert left == [["feed", "file"], ["file"], ["file"], []]


@pytest.mark.django_db
def test_what_the_inbox_received_goes_after_a_day_unread_or_read():
    senders.make("ana")
    received = InboxMessage.objects.create(sender=InboxSender.objects.get(), body=b"{}")
    InboxMessage.objects.update(received_at=NOW)
    for hours, left in ((23, 1), (24, 0)):
        end_periods(NOW + timedelta(hours=hours))
        assert InboxMessage.objects.filter(pk=received.pk).count() == left


@pytest.mark.django_db
def test_the_period_counts_from_when_it_was_received_not_from_when_it_was_read():
    senders.make("ana")
    body = b'[{"uid": "~021990000000000000001", "title": "A"}, {"no": "title"}]'
    InboxMessage.objects.create(sender=InboxSender.objects.get(), body=body)
    InboxMessage.objects.update(received_at=NOW)
    fetch_all([InboxSource()], now=NOW + timedelta(hours=20))
    assert Job.objects.get().text_until == NOW + DAY
    assert QuarantinedRow.objects.get().until == NOW + DAY

"""What a scan makes of what the inbox received."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from jobs.fetching import fetch_all
from jobs.inbox import receiving, senders
from jobs.inbox.reading import read
from jobs.models import InboxMessage, InboxSender, Job, SourceState
from jobs.postings.posting import Posting
from jobs.sources import SourceError, configured
from jobs.sources import inbox as inbox_source
from jobs.sources.inbox import InboxSource
from jobs.store import store
from tests.factories import JobFactory
from tests.threads import behind

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def job(number, **values):
    return {"uid": f"~02{1990000000000000000 + number}", "title": f"Job {number}", **values}


def sent(value, name="ana-laptop"):
    """A body received from a sender of this name."""
    if not InboxSender.objects.filter(name=name).exists():
        senders.make(name)
    body = json.dumps(value).encode()
    sender = InboxSender.objects.get(name=name)
    receiving.receive(sender, body, read(body, at=timezone.now()))


def scan():
    return fetch_all([InboxSource()], now=NOW)


def test_what_was_received_becomes_jobs_once():
    sent(job(1, budget="$500", url="https://evil.test/~021990000000000000001"))
    sent([job(2), {"no": "title"}])
    summary = scan()
    assert (summary.fetched, summary.new_jobs, summary.rejected) == (2, 2, 1)
    assert summary.sources == {"inbox": "ok"}
    first = Job.objects.get(pk="upwork:1990000000000000001")
    assert (first.trust, first.fixed_budget, first.source) == (10, Decimal(500), "inbox")
    assert first.url == "https://www.upwork.com/jobs/~021990000000000000001"
    assert scan().fetched == 0


def test_what_was_read_is_forgotten_by_the_next_look():
    sent(job(1))
    scan()
    assert InboxMessage.objects.count() == 1
    scan()
    assert InboxMessage.objects.count() == 0


def test_what_could_not_be_stored_is_read_again(monkeypatch):
    sent(job(1))
    with monkeypatch.context() as broken:
        broken.setattr("jobs.fetching.store", lambda *_, **__: 1 / 0)
        assert scan().sources == {"inbox": "broken"}
    assert scan().new_jobs == 1


def test_a_body_sent_twice_is_the_same_jobs():
    for _ in range(2):
        sent([job(1), job(2)])
    assert scan().new_jobs == 2


def test_a_webhook_never_overrides_a_better_text():
    JobFactory(id="upwork:1990000000000000001", title="The title", trust=20)
    sent(job(1, title="Another title", description="more"))
    scan()
    assert Job.objects.get().title == "The title"


@pytest.mark.parametrize(
    ("event", "state"), [("captcha_required", "blocked"), ("logged_out", "logged_out")]
)
def test_events_are_the_senders_state_and_never_jobs(event, state):
    sent({"event": event, "title": "Just a moment...", "url": "https://www.upwork.com/x"})
    sent(job(1), name="bob")
    summary = scan()
    assert (summary.sources, summary.new_jobs, summary.healthy) == ({"inbox": state}, 1, False)
    assert SourceState.objects.get().detail == f"Told by senders: ana-laptop: {state}."
    assert scan().fetched == 0


@pytest.mark.parametrize(
    ("instead", "state"),
    [
        ({"event": {"type": "captcha_required"}}, "blocked"),
        ({"html": "<html><title>Just a moment...</title></html>"}, "blocked"),
        ([{"page": "<html><title>Log In - Upwork</title></html>"}], "logged_out"),
        ({"data": {"message": "Please log in to continue"}}, "logged_out"),
    ],
)
def test_a_wall_that_is_sent_instead_of_jobs_is_the_senders_state(instead, state):
    sent(instead)
    summary = scan()
    assert (summary.rejected, summary.sources) == (0, {"inbox": state})


def test_trouble_ends_when_jobs_come_again():
    sent({"event": "captcha_required"})
    scan()
    sent({"event": "ping"})
    assert scan().sources == {"inbox": "blocked"}
    sent(job(1))
    assert scan().sources == {"inbox": "ok"}


def test_trouble_ends_when_the_sender_is_revoked():
    sent({"event": "logged_out"})
    senders.revoke("ana-laptop")
    assert scan().sources == {"inbox": "off"}


def test_jobs_beside_an_event_are_taken_and_the_event_counts():
    sent({"event": "logged_out", "jobs": [job(1)]})
    summary = scan()
    assert (summary.new_jobs, summary.sources) == (1, {"inbox": "logged_out"})


def test_the_states_before_anything_came():
    assert scan().sources == {"inbox": "off"}
    senders.make("ana-laptop")
    assert scan().sources == {"inbox": "quiet"}


def test_when_nothing_can_be_read_it_is_broken_but_not_stuck():
    sent([{"no": "title"}])
    assert scan().sources == {"inbox": "broken"}
    assert scan().sources == {"inbox": "ok"}


def test_a_message_that_cannot_be_read_is_rejected_alone(monkeypatch):
    sent(job(1))
    sent(job(2))

    def read_but(body, **at):
        return 1 / 0 if b"Job 1" in body else read(body, **at)

    monkeypatch.setattr(inbox_source, "read", read_but)
    summary = scan()
    assert (summary.new_jobs, summary.rejected, summary.sources) == (1, 1, {"inbox": "ok"})


def test_relative_times_count_from_when_it_was_received():
    sent(job(1, posted="2 hours ago"))
    then = timezone.now() - timedelta(hours=3)
    InboxMessage.objects.update(received_at=then)
    scan()
    posted = Job.objects.get().posted_at
    assert abs(posted - (then - timedelta(hours=2))) < timedelta(minutes=2)


def test_one_scan_reads_so_much_and_the_next_the_rest(monkeypatch):
    monkeypatch.setattr(inbox_source, "_MOST_BYTES", 1)
    for number in range(3):
        sent(job(number))
    assert [scan().new_jobs for _ in range(4)] == [1, 1, 1, 0]


@pytest.mark.django_db(transaction=True)
def test_a_body_gets_its_number_only_when_all_before_it_can_be_seen():
    senders.make("ana-laptop")
    behind(lambda: sent(job(1)), lambda: sent(job(2)))
    bodies = InboxMessage.objects.order_by("pk").values_list("body", flat=True)
    assert [json.loads(bytes(body))["title"] for body in bodies] == ["Job 1", "Job 2"]


def test_there_is_one_inbox():
    assert [source.name for source in configured(["inbox"])] == ["inbox"]
    for specs in (["inbox", "inbox"], ["inbox:x"]):
        with pytest.raises(SourceError, match=r"feed:URL or \(once\) inbox"):
            configured(specs)


def test_a_webhook_cannot_make_a_job_older_than_a_better_source_says():
    sent(job(1, posted_at="2020-01-01T00:00:00Z"))
    scan()
    posted = NOW - timedelta(hours=1)
    better = Posting(id="upwork:1990000000000000001", title="Job", posted_at=posted)
    for trust in (20, 20, 10):
        store([better], source="x", trust=trust, now=NOW)
        store([replace(better, posted_at=NOW)], source="x", trust=trust, now=NOW)
        assert Job.objects.values_list("posted_at", "dated_at").get() == (posted, posted)

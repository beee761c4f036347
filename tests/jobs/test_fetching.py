"""Fetching: every source is looked at, none stops another, watermarks move with the jobs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from jobs.fetching import fetch_all
from jobs.models import Job, SourceState
from jobs.postings.posting import Posting
from jobs.sources import Fetched

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


@dataclass
class Scripted:
    """A source that answers as told, and notes from where it was asked to begin."""

    name: str
    answers: list
    trust: int = 20

    def __post_init__(self):
        self.asked = []

    def fetch(self, *, now, watermark):
        self.asked.append(watermark)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def found(*ids, state="ok", watermark=""):
    postings = tuple(Posting(id=f"upwork:{n}", title=f"Job {n}") for n in ids)
    return Fetched(state=state, postings=postings, watermark=watermark)


def test_one_source_in_trouble_does_not_stop_the_others():
    sources = [Scripted("a", [OSError("gone")]), Scripted("b", [found(1, 2)])]
    summary = fetch_all(sources, now=NOW)
    assert summary.sources == {"a": "broken", "b": "ok"}
    assert (summary.fetched, summary.new_jobs, summary.healthy) == (2, 2, False)
    assert set(Job.objects.values_list("id", "source")) == {("upwork:1", "b"), ("upwork:2", "b")}


def test_the_watermark_moves_on_success_only():
    source = Scripted(
        "a", [found(1, watermark="w1"), found(state="blocked", watermark="w2"), found()]
    )
    for _ in range(3):
        fetch_all([source], now=NOW)
    assert source.asked == ["", "w1", "w1"]


def test_failures_are_counted_and_forgotten_on_success():
    source = Scripted("a", [OSError(), OSError(), found(1)])
    counts = []
    for tick in range(3):
        fetch_all([source], now=NOW + timedelta(minutes=15 * tick))
        counts.append(SourceState.objects.values_list("failures", "succeeded_at").get())
    assert counts == [(1, None), (2, None), (0, NOW + timedelta(minutes=30))]


def test_when_storing_fails_the_watermark_stays(monkeypatch):
    source = Scripted("a", [found(1, watermark="w1"), found(1, watermark="w1")])
    with monkeypatch.context() as patch:
        real, calls = __import__("jobs.store", fromlist=["store"]).store, []

        def refuse_once(*args, **kwargs):
            calls.append(1)
            if len(calls) == 1:
                raise OSError("disk")
            return real(*args, **kwargs)

        patch.setattr("jobs.fetching.store", refuse_once)
        assert fetch_all([source], now=NOW).sources == {"a": "broken"}
    assert fetch_all([source], now=NOW).new_jobs == 1
    assert source.asked == ["", ""]

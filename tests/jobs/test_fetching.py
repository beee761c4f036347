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


TICK = timedelta(minutes=15)


@dataclass
class Scripted:
    """A source that answers as told, and notes from where it was asked to begin."""

    name: str
    answers: list
    trust: int = 20
    keeps: timedelta | None = None
    place: str = ""
    backs_off: bool = False

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


def test_one_in_trouble_waits_until_it_is_due_and_keeps_its_state():
    source = Scripted("a", [found(state="blocked"), OSError(), found(1)], backs_off=True)
    states = [fetch_all([source], now=NOW + tick * TICK).sources["a"] for tick in range(4)]
    assert states == ["blocked", "broken", "broken", "ok"]
    assert len(source.asked) == 3


def test_a_wait_it_asked_for_is_granted():
    throttled = Fetched(state="throttled", retry_after=7200)
    source = Scripted("a", [throttled, found(1)], backs_off=True)
    states = [fetch_all([source], now=NOW + tick * TICK).sources["a"] for tick in range(9)]
    assert states == ["throttled"] * 8 + ["ok"]


def test_whoever_wants_every_source_now_asks_those_in_trouble_too():
    source = Scripted("a", [found(state="blocked"), found(1)], backs_off=True)
    fetch_all([source], now=NOW)
    assert fetch_all([source], now=NOW, every_one=True).new_jobs == 1


def test_another_place_under_the_same_name_starts_afresh():
    first = Scripted("a", [found(1, watermark="w1"), found(state="blocked")], place="here")
    for _ in range(2):
        fetch_all([first], now=NOW)
    second = Scripted("a", [found(state="broken"), found(2)], place="there", backs_off=True)
    assert fetch_all([second], now=NOW).sources == {"a": "broken"}
    row = SourceState.objects.get()
    assert (second.asked, row.failures, row.watermark, row.since) == ([""], 1, "", NOW)


def test_without_time_the_ones_looked_at_longest_ago_come_first_the_others_next():
    sources = [Scripted(name, [found(), found()], backs_off=True) for name in "abc"]
    fetch_all(sources[:1], now=NOW)
    left = iter([True, True])
    summary = fetch_all(sources, now=NOW + TICK, in_time=lambda: next(left, False))
    assert [len(source.asked) for source in sources] == [1, 1, 1]
    assert list(summary.sources.items()) == [("a", "ok"), ("b", "ok"), ("c", "ok")]


def test_a_source_no_longer_configured_is_off():
    fetch_all([Scripted("a", [OSError()]), Scripted("b", [found()])], now=NOW)
    fetch_all([Scripted("b", [found()])], now=NOW)
    assert list(SourceState.objects.values_list("name", "state")) == [("a", "off"), ("b", "ok")]


def test_what_breaks_is_told_without_its_words():
    fetch_all([Scripted("a", [OSError("https://ana:secret@host/")])], now=NOW)
    detail = SourceState.objects.get().detail
    assert detail.startswith("It broke: OSError in fetch, line ")
    assert "secret" not in detail


def test_trouble_told_of_after_all_was_read_moves_the_watermark():
    told = Fetched(state="logged_out", watermark="w1", read_whole=True)
    source = Scripted("a", [told, found()])
    for _ in range(2):
        fetch_all([source], now=NOW)
    assert source.asked == ["", "w1"]

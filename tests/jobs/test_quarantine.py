"""The quarantine: what is not understood is kept once, counted, and let out when it can be read."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse

from accounts.boundaries import watched
from jobs import quarantine, rows
from jobs.fetching import fetch_all
from jobs.models import Job, QuarantinedRow, SourceState
from jobs.postings.posting import Posting
from jobs.postings.reading import read_scrap, rows_of
from jobs.postings.rejection import Rejection
from jobs.quarantine import keeping
from jobs.rows import sort_rows
from jobs.sources import Fetched
from jobs.sources.file import FileSource
from tests.admin_browser import act, listed, messages, page, staff
from tests.jobs.test_fetching import Scripted
from tests.threads import together

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
TICK = timedelta(minutes=15)
GOOD = {"id": "1990000000000000001", "title": "A shop"}
BAD = {"zq of it": "A logo", "posted_at": "2 hours ago", "id": "1990000000000000003"}
HALF = {"id": "1990000000000000002", "title": "A logo", "proposals": "lots", "budget": "$5"}
HALF_ID = "upwork:1990000000000000002"
TORN_ID = "1990000000000000009"
TILE = f"""<html><body><div class="job-tle"><a data-test="job-tile-title-link"
    href="/jobs/~02{TORN_ID}">Torn</a></div>"""


def look(*raw, at=NOW, name="feed", keeps=timedelta(hours=24)):
    found = sort_rows(raw, at)
    fetched = Fetched(
        state="ok",
        postings=found.postings,
        rejected=found.rejected,
        half_understood=found.half_understood,
    )
    return fetch_all([Scripted(name, [fetched], keeps=keeps)], now=at)


def kept(*names):
    return list(QuarantinedRow.objects.order_by("-kind", "pk").values_list(*names))


@pytest.fixture
def fixed(monkeypatch):
    """The normaliser after somebody has taught it something."""

    def normalise(raw, fetched_at, real=rows.normalise):
        if isinstance(raw, dict) and "zq of it" in raw:
            raw = raw | {"title": raw["zq of it"]}
        if isinstance(raw, dict) and raw.get("proposals") == "lots":
            raw = raw | {"proposals": 50}
        return real(raw, fetched_at)

    return lambda: monkeypatch.setattr(rows, "normalise", normalise)


def test_a_row_is_kept_with_its_value_and_reason_once_and_counted():
    for tick in range(3):
        look(GOOD, BAD, HALF, at=NOW + tick * TICK)
    assert kept("kind", "reason", "source", "count", "job_id") == [
        ("rejected", "title: no title", "feed", 3, ""),
        ("half-understood", "could not be read: proposals", "feed", 3, HALF_ID),
    ]
    assert [json.loads(raw) for (raw,) in kept("raw")] == [BAD, HALF]
    last = NOW + 2 * TICK
    assert set(kept("first_seen", "seen_at", "fetched_at", "until")) == {
        (NOW, last, last, last + timedelta(hours=24))
    }


def test_the_same_look_again_at_the_same_moment_changes_nothing():
    look(GOOD, BAD, HALF)
    before = list(QuarantinedRow.objects.order_by("pk").values())
    look(GOOD, BAD, HALF)
    assert list(QuarantinedRow.objects.order_by("pk").values()) == before


def test_it_is_one_transaction_with_the_jobs_and_the_watermark(monkeypatch):
    monkeypatch.setattr("jobs.fetching._note", lambda *_: 1 / 0)
    look(GOOD, BAD)
    assert (Job.objects.count(), kept("pk")) == (0, [])


def test_what_the_quarantine_cannot_hold_costs_no_job(monkeypatch):
    monkeypatch.setattr(keeping, "LONGEST_REASON", 10_000)
    found = Rejection("x" * 9_000)
    look(GOOD, found)
    assert (Job.objects.count(), kept("pk")) == (1, [])
    assert SourceState.objects.get().state == "ok"


@pytest.mark.parametrize(
    "raw",
    [
        *(None, 7, "text \0 \ud800", [], [[1]], {"a": float("nan")}, {"a": NOW}, {("a",): 1}),
        {"a": 10**5000},
        {"long": "x" * 100_000},
    ],
)
def test_any_value_is_kept_beside_the_others(raw, fixed):
    look(raw, BAD, GOOD)
    assert len(kept("pk")) == 2
    assert all(len(text) <= keeping.LONGEST for (text,) in kept("raw"))
    fixed()
    assert quarantine.run_again(QuarantinedRow.objects.all(), now=NOW).understood == 1


def test_a_look_and_a_source_have_a_limit(monkeypatch):
    monkeypatch.setattr(keeping, "MOST_A_LOOK", 3)
    monkeypatch.setattr(keeping, "MOST_A_SOURCE", 4)
    look({"n": 0}, {"n": 1}, name="other")
    for tick in range(2):
        look(*[{"n": 10 * tick + n} for n in range(5)], at=NOW + tick * TICK)
    raw = QuarantinedRow.objects.filter(source="feed").values_list("raw", flat=True)
    numbers = sorted(json.loads(text)["n"] for text in raw)
    assert (numbers[0] in range(3), numbers[1:]) == (True, [10, 11, 12])
    assert QuarantinedRow.objects.filter(source="other").count() == 2


def test_what_the_database_refuses_is_kept():
    unfit = Posting(id="upwork:bad", title="Too dear", hourly_max=Decimal("1e15"))
    fetched = Fetched(state="ok", postings=(unfit, replace(unfit, id="upwork:1", hourly_max=None)))
    fetch_all([Scripted("feed", [fetched])], now=NOW)
    assert kept("kind", "reason") == [("rejected", "the database refused it")]
    assert list(Job.objects.values_list("pk", flat=True)) == ["upwork:1"]
    done = quarantine.run_again(QuarantinedRow.objects.all(), now=NOW)
    assert (done.understood, done.left) == (0, 1)


def test_run_again_lets_out_what_is_understood_now_as_if_it_had_been_at_once(fixed):
    look(BAD, HALF, {"still": "nothing"})
    again = QuarantinedRow.objects.all()
    later = NOW + timedelta(hours=5)
    assert quarantine.run_again(again, now=later).as_json() == {
        "understood": 0,
        "left": 3,
        "new_jobs": 0,
    }
    fixed()
    assert quarantine.run_again(again, now=later).as_json() == {
        "understood": 2,
        "left": 1,
        "new_jobs": 1,
    }
    job = Job.objects.get(pk="upwork:1990000000000000003")
    assert (job.title, job.source, job.trust, job.first_seen) == ("A logo", "feed", 20, NOW)
    assert (job.posted_at, job.text_until) == (NOW - timedelta(hours=2), NOW + timedelta(hours=24))
    assert Job.objects.get(pk=HALF_ID).proposals == 50
    assert quarantine.run_again(again, now=later).understood == 0


def test_a_row_now_half_understood_gives_its_job_and_stays(fixed):
    look(BAD | {"client_rating": "9.7"})
    fixed()
    assert quarantine.run_again(QuarantinedRow.objects.all(), now=NOW).new_jobs == 1
    assert kept("kind", "reason", "job_id") == [
        ("half-understood", "could not be read: client's rating", "upwork:1990000000000000003")
    ]


def test_a_row_never_overwrites_what_was_fetched_later(fixed):
    look(HALF)
    look(HALF | {"proposals": "3", "title": "Newer"}, at=NOW + TICK)
    fixed()
    assert quarantine.run_again(QuarantinedRow.objects.all(), now=NOW + TICK).understood == 1
    assert Job.objects.values_list("title", "proposals").get() == ("Newer", 3)


def test_a_row_whose_period_is_over_gives_nothing(fixed):
    look(BAD)
    fixed()
    done = quarantine.run_again(QuarantinedRow.objects.all(), now=NOW + timedelta(hours=24))
    assert (done.understood, done.left, Job.objects.count()) == (0, 1, 0)


def test_an_import_quarantines_too_but_not_a_dry_run(tmp_path, capsys):
    path = tmp_path / "posts.jsonl"
    path.write_text("\n".join(map(json.dumps, [GOOD, HALF, BAD])) + "\n{broken")
    call_command("import_jobs", str(path), "--dry-run")
    assert kept("pk") == []
    call_command("import_jobs", str(path), "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"good": 2, "bad": 2, "new": 2}
    assert len(kept("pk")) == 3
    assert set(kept("source", "kind", "whole", "until")) == {
        ("import", "rejected", True, None),
        ("import", "half-understood", True, None),
    }


def test_the_command_lists_and_runs_again(fixed, capsys):
    look(BAD, HALF)
    look(BAD, name="file", keeps=None)
    call_command("quarantine", "--source", "file", "--json")
    out, err = capsys.readouterr()
    assert json.loads(out) == {"rows": 1}
    assert err == (
        "file: rejected, title: no title: 1 rows, seen 1 times, last 2026-11-25 12:00 UTC\n"
    )
    fixed()
    call_command("quarantine", "--source", "file", "--run-again", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "understood": 1,
        "left": 0,
        "new_jobs": 1,
        "rows": 0,
    }
    assert QuarantinedRow.objects.filter(source="feed").count() == 2


def test_staff_see_it_as_text_and_run_it_again(fixed):
    hostile = BAD | {"x": "<script>alert(1)</script>"}
    look(hostile, HALF, keeps=None)
    boss = staff()
    first, second = (pk for (pk,) in kept("pk"))
    assert listed(boss, "jobs_quarantinedrow", "?kind__exact=half-understood") == [second]
    html = page(boss, "jobs_quarantinedrow_change", str(first))
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert(1)" not in html
    fixed()
    html = act(boss, "jobs_quarantinedrow", "again", str(first), str(second))
    assert messages(html) == ["2 understood (1 new jobs), 0 left."]
    assert kept("pk") == []


def test_running_again_needs_the_right_to_and_nobody_edits():
    look(BAD)
    (key,) = (str(pk) for (pk,) in kept("pk"))
    looker = staff("jobs.view_quarantinedrow")
    before = list(QuarantinedRow.objects.values())
    act(looker, "jobs_quarantinedrow", "again", key)
    for name, args in (("add", []), ("change", [key]), ("delete", [key])):
        address = reverse(f"admin:jobs_quarantinedrow_{name}", args=args)
        assert looker.post(address, {"post": "yes", "reason": "x"}).status_code == 403, name
    assert list(QuarantinedRow.objects.values()) == before


@pytest.mark.parametrize(
    ("name", "text", "mended"),
    [
        (
            "posts.jsonl",
            '{GOOD}\n{"id": "1990000000000000009", "title": "Torn\n',
            ("Torn", 'Torn"}'),
        ),
        (
            "posts.json",
            '[{GOOD}, {"id": "1990000000000000009", "title": Torn}]',
            ("Torn", '"Torn"'),
        ),
        ("posts.csv", 'id,title\n1,A shop\n"1990000000000000009",Torn,x\n', (",x", "")),
        ("posts.csv", 'id;title\n1;A shop\n"1990000000000000009;Torn\n', ("009;", '009";')),
        ("a.html", TILE, ("job-tle", "job-tile")),
    ],
)
def test_what_is_not_even_json_or_csv_is_kept_as_it_came(name, text, mended, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_text(text.replace("{GOOD}", json.dumps(GOOD)).replace("{TORN_ID}", TORN_ID))
    found = FileSource("file", str(path)).fetch(now=NOW, watermark="")
    fetch_all([Scripted("file", [found], keeps=None)], now=NOW)
    ((raw, whole),) = kept("raw", "whole")
    assert ("Torn" in raw, whole) == (True, True)
    rows_again = QuarantinedRow.objects.all()
    assert quarantine.run_again(rows_again, now=NOW).left == 1

    def read(form, text):  # a reader that has learned to read this
        return read_scrap(form, text.replace(*mended))

    monkeypatch.setattr("jobs.quarantine.rerunning.read_scrap", read)
    assert quarantine.run_again(rows_again, now=NOW).as_json() == {
        "understood": 1,
        "left": 0,
        "new_jobs": 1,
    }
    assert Job.objects.get(pk=f"upwork:{TORN_ID}").title == "Torn"


def test_a_torn_line_that_moved_is_the_same_row():
    for tick, start in enumerate(["", "\n\n"]):
        found = [row for _, row in rows_of("a.jsonl", f'{start}{{"id": 1,\n{{"a": 1}}'.encode())]
        look(*found, at=NOW + tick * TICK)
    assert sorted(kept("form", "raw", "count", "reason")) == [
        ("json", '{"id": 1,', 2, "broken JSON"),
        ("value", '{"a": 1}', 2, "title: no title"),
    ]


def test_a_long_torn_line_is_cut_and_not_run_again():
    look(*[row for _, row in rows_of("a.jsonl", b'{"a": 1}\n{"b": "' + b"x" * 50_000)])
    assert sorted((len(raw), whole) for raw, whole in kept("raw", "whole")) == [
        (8, True),
        (keeping.LONGEST, False),
    ]


def test_a_row_that_means_something_else_now_is_still_the_same_row(fixed):
    raw = BAD | {"client_rating": "9.7"}
    look(raw)
    fixed()
    quarantine.run_again(QuarantinedRow.objects.all(), now=NOW)
    look(raw, at=NOW + TICK)
    assert kept("kind", "count") == [("half-understood", 2)]


def test_of_rows_that_come_to_the_same_one_is_left(fixed):
    raw = BAD | {"client_rating": "9.7"}
    look(raw, raw | {"client_rating": "9.8"})
    fixed()
    assert quarantine.run_again(QuarantinedRow.objects.all(), now=NOW).new_jobs == 1
    assert kept("kind", "count") == [("half-understood", 1)]


@pytest.mark.django_db(transaction=True)
def test_run_twice_at_once_each_row_becomes_one_job(fixed):
    look(BAD, HALF, keeps=None)
    fixed()
    rows_again = QuarantinedRow.objects.all()
    ids = [pk for (pk,) in kept("pk")]

    def again():
        return quarantine.run_again(rows_again.filter(pk__in=ids), now=NOW)

    both = together(again, again)
    assert (sum(done.understood for done in both), sum(done.left for done in both)) == (2, 0)
    assert sum(done.new_jobs for done in both) == 1
    assert (Job.objects.count(), kept("pk")) == (2, [])


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("boundary", ["quarantine: run again", "jobs: store"])
def test_killed_while_running_again_the_next_time_comes_to_the_same(fixed, boundary, moment):
    look(BAD, HALF)
    fixed()

    def kill(name, when):
        if (name, when) == (boundary, moment):
            raise KeyboardInterrupt

    with watched(kill), pytest.raises(KeyboardInterrupt):
        quarantine.run_again(QuarantinedRow.objects.all(), now=NOW)
    assert len(kept("pk")) in (0, 2)
    quarantine.run_again(QuarantinedRow.objects.all(), now=NOW)
    assert (Job.objects.count(), kept("pk")) == (2, [])


def test_a_job_was_fetched_when_its_row_was_seen_last(fixed):
    for tick in range(3):
        look(BAD, HALF, at=NOW + tick * TICK)
    fixed()
    quarantine.run_again(QuarantinedRow.objects.all(), now=NOW + 2 * TICK)
    assert set(Job.objects.values_list("first_seen", "fetched_at")) == {(NOW, NOW + 2 * TICK)}

"""`manage.py evaluate`: labelled pairs scored as a scan would, and the measures of the order."""

import gzip
import json
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from jobs.evaluating import Label, Postings, evaluate
from jobs.postings.posting import Posting
from jobs.scoring.judged import searches_of
from jobs.scoring.measuring import KEPT_OUT, alerts

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
TEXT = "We need a Django and Python back end with PostgreSQL for several weeks, with tests."
DJANGO = {
    "id": "upwork:021953412962093392361",
    "title": "Django developer for an API",
    "description": TEXT,
    "skills": ["Django", "Python", "PostgreSQL"],
    "job_type": "hourly",
    "hourly_max": 70,
    "currency": "USD",
    "posted_at": "2024-01-02T03:04:05Z",
}
CHEAP = {**DJANGO, "id": "freelancercom:90307f7e", "hourly_max": 5}
LOGO = {"id": "upwork:01abcdef0123456789", "title": "A logo for a bakery", "description": "Draw."}
ANA = {
    "id": "p01",
    "field": "dev",
    "headline": "Django developer",
    "about": "I build back ends.",
    "wants": "Django work",
    "skills": ["Django", "Python"],
    "min_hourly": 35,
    "min_fixed": 400,
    "exclude_keywords": ["wordpress"],
    "excluded_countries": ["China", "Atlantis"],
}
LABELS = [
    {"profile": "p01", "job": DJANGO["id"], "grade": 3, "why": "fits"},
    {"profile": "p01", "job": CHEAP["id"], "grade": 1},
    {"profile": "p01", "job": LOGO["id"], "grade": 0},
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "profiles.jsonl").write_bytes(lines([ANA]))
    (tmp_path / "labels.jsonl").write_bytes(lines(LABELS))
    (tmp_path / "jobs.jsonl.gz").write_bytes(gzip.compress(lines([DJANGO, CHEAP, LOGO])))
    return tmp_path


def run(folder, capsys, *args):
    out = folder / "predictions.jsonl"
    call_command("evaluate", str(folder), "--predictions", str(out), "--json", *map(str, args))
    told, said = capsys.readouterr()
    return json.loads(told), [json.loads(line) for line in out.read_text().splitlines()], said


def test_every_labelled_pair_is_scored_in_order_under_the_labels_ids(folder, capsys):
    found, predictions, said = run(folder, capsys)
    assert [(p["profile"], p["job"]) for p in predictions] == [
        (label["profile"], label["job"]) for label in LABELS
    ]
    fits, cheap, logo = (p["score"] for p in predictions)
    assert fits >= 70
    assert 0 <= logo < cheap <= 100 * KEPT_OUT  # kept out by a filter: low, in order, not missing
    assert (found["pairs"], found["predicted"], found["absent_jobs"]) == (3, 3, [])
    assert found["ndcg10"] == found["ap"] == found["best_f1_per_profile"] == 1
    assert found["at_threshold"] == {
        "threshold": 70,
        "f1": 1,
        "precision": 1,
        "recall": 1,
        "bad": 0,
    }
    assert "p01" in said
    assert "at 70: F1 1.000" in said


def test_without_json_the_measures_go_to_standard_output(folder, capsys):
    call_command("evaluate", str(folder))
    told, said = capsys.readouterr()
    assert "mean nDCG@10 1.000, AP 1.000, best F1 1.000" in told
    assert said == ""


def test_what_is_absent_is_named_and_counts_as_lowest(folder, capsys):
    gone = [
        {"profile": "p01", "job": "upwork:1", "grade": 3},
        {"profile": "p99", "job": DJANGO["id"], "grade": 2},
    ]
    (folder / "labels.jsonl").write_bytes(lines([*LABELS, *gone]))
    found, predictions, said = run(folder, capsys)
    assert (found["pairs"], found["predicted"], len(predictions)) == (5, 3, 3)
    assert (found["absent_jobs"], found["absent_profiles"]) == (["upwork:1"], ["p99"])
    assert "1 labelled job not found, counted as lowest: upwork:1" in said
    assert found["at_threshold"]["recall"] == round(1 / 3, 4)
    assert found["profiles"]["p01"]["ap"] == (1 + 2 / 4) / 2
    assert found["profiles"]["p99"]["ap"] == 1


@pytest.mark.parametrize(
    "form",
    [
        "1953412962093392361",
        "~021953412962093392361",
        "upwork:1953412962093392361",
        "https://www.upwork.com/jobs/Title_~021953412962093392361/",
    ],
)
def test_a_job_is_found_whatever_form_its_id_has(folder, capsys, form):
    (folder / "labels.jsonl").write_bytes(lines([{"profile": "p01", "job": form, "grade": 2}]))
    found, (prediction,), _ = run(folder, capsys)
    assert found["absent_jobs"] == []
    assert prediction["job"] == form


def test_jobs_may_come_from_another_file_of_another_shape(folder, capsys):
    (folder / "jobs.jsonl.gz").unlink()
    rows = [{"ciphertext": "~021953412962093392361", "title": DJANGO["title"], "description": TEXT}]
    (folder / "other.json").write_text(json.dumps({"data": rows}))
    found, predictions, _ = run(folder, capsys, "--jobs", folder / "other.json")
    assert len(predictions) == 1
    assert len(found["absent_jobs"]) == 2


def test_files_may_be_gzipped_or_not(folder, capsys):
    (folder / "jobs.jsonl").write_bytes(gzip.decompress((folder / "jobs.jsonl.gz").read_bytes()))
    (folder / "jobs.jsonl.gz").unlink()
    (folder / "profiles.jsonl.gz").write_bytes(
        gzip.compress((folder / "profiles.jsonl").read_bytes())
    )
    (folder / "profiles.jsonl").unlink()
    assert run(folder, capsys)[0]["predicted"] == 3


def test_our_own_search_keys_are_understood_and_optional_ones_may_be_absent_or_null():
    (search,) = searches_of({"id": "x", "words_none": ["wix"], "min_hourly": None}, "x")
    assert (search.name, search.words_none, search.min_hourly) == ("x", ("wix",), None)
    (search,) = searches_of(ANA, "p01")
    assert (search.words_none, search.countries_exclude) == (("wordpress",), ("CN",))
    two = searches_of({"searches": [{"name": "a"}, {"name": "b", "skills": ["Go"]}]}, "x")
    assert [(s.name, s.skills) for s in two] == [("a", ()), ("b", ("Go",))]


@pytest.mark.parametrize("value", ["x", None])
def test_an_unknown_key_is_an_error_that_names_it(folder, value):
    (folder / "profiles.jsonl").write_bytes(lines([{**ANA, "min_hourley": value}]))
    with pytest.raises(CommandError, match="profile p01: Unknown key 'min_hourley'"):
        call_command("evaluate", str(folder))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("labels.jsonl", b"", "holds no label"),
        ("labels.jsonl", b'{"profile": "p01", "job": "x:1", "grade": 7}\n', "a grade from 0 to 3"),
        ("labels.jsonl", b'{"profile": \n', "write one JSON object"),
        ("profiles.jsonl", lines([ANA, ANA]), "another profile is 'p01'"),
        (
            "profiles.jsonl",
            lines([{**ANA, "exclude_keywords": "php"}]),
            "profile p01: exclude_keywords: 'php' is not a list of texts",
        ),
        (
            "profiles.jsonl",
            lines([{**ANA, "excluded_countries": [5]}]),
            r"profile p01: excluded_countries: \[5\] is not a list of texts",
        ),
    ],
)
def test_what_cannot_be_understood_ends_with_a_sentence(folder, name, content, message):
    (folder / name).write_bytes(content)
    with pytest.raises(CommandError, match=message):
        call_command("evaluate", str(folder))


def test_null_and_blank_entries_avoid_nothing():
    profile = {"id": "x", "exclude_keywords": [None, " ", "wix"], "excluded_countries": [None]}
    (search,) = searches_of(profile, "x")
    assert (search.words_none, search.countries_exclude) == (("wix",), ())


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"holds neither profiles\.jsonl nor"):
        call_command("evaluate", str(tmp_path))


def test_the_age_of_a_job_counts_only_for_a_search_that_asks():
    posts = Postings([(None, Posting(id="a:1", title="Django", posted_at=NOW.replace(year=2020)))])
    labels = [Label("old", "a:1", 3), Label("new", "a:1", 3)]
    asked = {
        "old": searches_of({"skills": ["Django"]}, "old"),
        "new": searches_of({"skills": ["Django"], "posted_within_hours": 24}, "new"),
    }
    old, new = (p.score for p in evaluate(asked, labels, posts, now=NOW).predictions)
    assert new == pytest.approx(old * KEPT_OUT, abs=0.05)


def test_a_profile_with_several_searches_has_the_best_score_of_those_that_let_it_through():
    posts = Postings([(None, Posting(id="a:1", title="Django developer", skills=("Django",)))])
    single = {"good": [{"name": "a", "skills": ["Django"], "headline": "Django developer"}]}
    single["both"] = [{"name": "z", "skills": ["Logo"]}, *single["good"]]
    asked = {name: searches_of({"searches": value}, name) for name, value in single.items()}
    labels = [Label(name, "a:1", 3) for name in single]
    alone, both = (p.score for p in evaluate(asked, labels, posts, now=NOW).predictions)
    assert alone == both


def test_the_measures_are_those_of_the_cases_own_program(cases, tmp_path, capsys):
    out = tmp_path / "predictions.jsonl"
    call_command("evaluate", str(cases), "--predictions", str(out), "--json")
    ours = json.loads(capsys.readouterr().out)
    theirs = json.loads(
        subprocess.run(
            [sys.executable, str(cases / "eval.py"), str(out)], capture_output=True, check=True
        ).stdout
    )
    assert theirs["labelled_pairs_without_prediction"] == 0
    same = {"ndcg10": "ndcg10", "ap": "ap", "best_f1_per_profile": "best_f1"}
    for mine, other in same.items():
        assert ours[mine] == pytest.approx(theirs["dev"][other], abs=1e-4)
    assert ours["best"]["f1"] == pytest.approx(theirs["dev"]["best_global_f1"], abs=1e-4)
    assert ours["at_threshold"]["f1"] >= 0.77


def test_without_alerts_every_share_is_nothing():
    found = alerts(np.array([1.0]), np.array([0]))
    assert (found.f1, found.precision, found.recall, found.bad) == (0, 0, 0, 0)


def test_words_that_a_wall_uses_are_no_wall_in_a_profile(folder, capsys):
    about = "Just a moment... I solve captcha pages: access denied, verify you are human."
    (folder / "profiles.jsonl").write_bytes(b"\xef\xbb\xbf" + lines([{**ANA, "about": about}]))
    assert run(folder, capsys)[0]["predicted"] == 3


def test_a_file_that_is_no_gzip_is_named(folder):
    (folder / "labels.jsonl").rename(folder / "labels.jsonl.gz")
    with pytest.raises(CommandError, match=r"Cannot read .*labels\.jsonl\.gz"):
        call_command("evaluate", str(folder))

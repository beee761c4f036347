"""`manage.py import_jobs`: good rows go in, bad ones are named."""

import gzip
import json

import pytest
from django.core.management import CommandError, call_command

from jobs.models import Job
from jobs.postings.posting_json import KEYS

pytestmark = pytest.mark.django_db
ROWS = [
    {
        "id": "upwork:021953412962093392361",
        "title": "Senior Data Engineer",
        "job_type": "hourly",
        "hourly_min": 45.0,
        "hourly_max": 75.0,
        "currency": "USD",
        "client_country": "United States",
        "posted_at": "2025-08-08T15:35:14+00:00",
    },
    {"description": "no title"},
    {"title": "A logo", "posted": "2 hours ago"},
]


@pytest.fixture
def posts(tmp_path):
    path = tmp_path / "posts.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))
    return path


def run(*args):
    call_command("import_jobs", *map(str, args))


def test_good_rows_go_in_and_bad_ones_are_named(posts, capsys):
    run(posts, "--json")
    out, err = capsys.readouterr()
    assert json.loads(out) == {"good": 2, "bad": 1, "new": 2}
    assert "row 2: " in err
    assert Job.objects.filter(pk="upwork:1953412962093392361", client_country="US").exists()


def test_a_dry_run_writes_what_was_understood_and_stores_nothing(posts, capsys):
    run(posts, "--dry-run", "--fetched-at", "2026-11-25T12:00:00Z")
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert tuple(first) == KEYS
    assert (first["id"], first["posted_at"]) == (
        "upwork:1953412962093392361",
        "2025-08-08T15:35:14Z",
    )
    assert (second["title"], second["posted_at"]) == ("A logo", "2026-11-25T10:00:00Z")
    assert Job.objects.count() == 0


def test_again_is_no_news(posts, capsys):
    run(posts)
    run(posts, "--json")
    assert json.loads(capsys.readouterr().out)["new"] == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[]", "no good row"),
        ("<html><title>Challenge - Upwork</title>cf-challenge</html>", "no jobs"),
        ('{"message": "Please log in"}', "no jobs"),
        (None, "Cannot read"),
    ],
)
def test_nothing_good_is_an_error_that_says_why(tmp_path, capsys, content, says):
    path = tmp_path / "posts.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommandError, match=says) as error:
        run(path, "--json")
    assert error.value.returncode == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert json.loads(last) == {"good": 0, "bad": 0, "new": 0}

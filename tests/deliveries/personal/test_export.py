"""The export: all that the inventory names, of nobody else, in one whole file."""

import json
import tracemalloc

import pytest
from django.db import connection

from accounts.models import Search, User
from deliveries.personal.export import GoneError, export
from deliveries.personal.places import PLACES
from tests.deliveries.personal.crowd import somebody
from tests.factories import NOON, person
from tests.threads import behind

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
ANA = "ana@example.com"


def whole(user_id: str) -> str:
    with export(user_id, now=NOON) as file:
        return file.read().decode()


def exported(user_id: str) -> dict:
    return json.loads(whole(user_id))


def test_it_has_every_place_and_column_in_a_fixed_order():
    user, _ = somebody("xanthippe")
    somebody("balthazar")
    data = exported(user.pk)
    told = [place for place in PLACES if place.exported]
    assert list(data) == ["export", *(place.name for place in told)]
    for place in told:
        rows = [data[place.name]] if place.single else data[place.name]
        assert len(rows) == place.rows(user.pk).count() > 0
        assert all(list(row) == place.columns.split() for row in rows)


def test_it_says_what_there_is_and_nothing_of_anybody_else():
    user, _ = somebody("xanthippe")
    somebody("balthazar")
    text = whole(user.pk)
    assert "balthazar" not in text
    assert "staff@elsewhere.example" not in text
    data = json.loads(text)
    assert data["account"]["email"] == "xanthippe@xanthippe.example"
    [search] = data["searches"]
    assert (search["headline"], search["skills"]) == (
        "headlinexanthippe",
        ["Django", "skillxanthippe"],
    )
    opened, failed = sorted(data["mails"], key=lambda mail: mail["status"] == "failed")
    assert "Job of xanthippe" in opened["body"]
    assert (failed["body"], failed["error"]) == (
        None,
        "550 <xanthippe@xanthippe.example> is unknown",
    )
    assert data["second_factors"][0].keys() == {"type", "created_at", "last_used_at"}


def test_somebody_with_nothing_has_nulls_and_empty_lists():
    user = User.objects.create_user(ANA)
    data = exported(user.pk)
    assert (data["preferences"], data["stop"], data["searches"], data["mails"]) == (
        None, None, [], []
    )  # fmt: skip
    assert data["export"] == {
        "site": "scout.test",
        "made_at": "2026-11-25T12:00:00Z",
        "explained_in": "docs/personal-data.md",
    }


def test_hostile_text_comes_out_as_it_went_in():
    user = person(ANA)
    hostile = '"</script>\\ \u2028 \u202e ünï 🧑‍💻\n'
    Search.objects.update(about=hostile)
    assert exported(user.pk)["searches"][0]["about"] == hostile


def test_nobody_is_an_error():
    with pytest.raises(GoneError):
        export("nobody", now=NOON)


@pytest.fixture
def memory():
    """What Python takes from here on."""
    yield tracemalloc
    tracemalloc.stop()


def test_many_rows_take_little_memory(memory):
    user = person(ANA)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO jobs_job (id, url, title, description, skills, source, trust, first_seen,"
            " fetched_at, worker_countries) SELECT 'upwork:' || n, '', 'A job', '', '{}', 'file',"
            " 1, now(), now(), '{}' FROM generate_series(1, 8000) n"
        )
        cursor.execute(
            "INSERT INTO jobs_thumb (user_id, job_id, up, title, given_at)"
            " SELECT %s, id, true, repeat('t', 1000), now() FROM jobs_job",
            [user.pk],
        )
    memory.start()
    with export(user.pk, now=NOON) as file:
        _, peak = memory.get_traced_memory()
        assert file.read().count(b"ttt") >= 8_000 * 332
    assert peak < 6_000_000  # of a file of nine


@pytest.mark.django_db(transaction=True)
def test_who_is_leaving_or_moving_meanwhile_is_waited_for():
    user = person(ANA)
    answers = behind(lambda: User.objects.select_for_update().get(), lambda: whole(user.pk))
    assert json.loads(answers[0])["account"]["email"] == ANA
    [raised] = behind(User.objects.get().delete, lambda: whole(user.pk))
    assert isinstance(raised, GoneError)

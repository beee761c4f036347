"""The inventory of what is known of people: whole, and true of deleting an account."""

import re

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from accounts.models import DeletedAddress, User
from deliveries.leaving import delete_account
from deliveries.personal.not_personal import ELSEWHERE, NOT_PERSONAL
from deliveries.personal.places import PLACES
from tests.deliveries.personal.crowd import somebody
from tests.effects import ROOT
from tests.factories import NOON
from tests.whole_database import columns_tied_to_users, says

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_tries_yet")]
DOC = ROOT / "docs/personal-data.md"
COLUMNS = """
SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
  AND a.attnum > 0 AND NOT a.attisdropped
"""


def personal() -> set[tuple[str, str]]:
    found = set()
    for place in PLACES:
        shown = {name: column for name, (column, _) in place.renamed.items()}
        columns = [shown.get(name, name) for name in place.columns.split()]
        found |= {(place.table, column) for column in (*columns, *place.kept_back)}
    return found


def not_personal() -> set[tuple[str, str]]:
    named = NOT_PERSONAL.items()
    return {(table, column) for table, (_, columns) in named for column in columns.split()}


def test_every_column_of_the_database_is_named():
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        there = set(cursor.fetchall())
    cache = settings.CACHES["default"]["LOCATION"]
    there = {(table, column) for table, column in there if table != cache}
    assert cache in ELSEWHERE
    named = personal() | not_personal()
    assert sorted(there - named) == [], "say in deliveries/personal what these columns hold"
    assert sorted(named - there) == []


def test_every_field_of_every_model_is_named():
    fields = {
        (model._meta.db_table, field.column)
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
    }
    assert fields - personal() - not_personal() == set()


def test_no_column_is_both_personal_and_not():
    assert personal() & not_personal() == set()


def test_every_column_that_is_tied_to_users_is_personal():
    assert columns_tied_to_users() - personal() == set()


def test_deleting_leaves_nothing_of_one_and_everything_of_another():
    (ana, hers), (_, his) = somebody("xanthippe"), somebody("balthazar")
    before = {(table, word.replace("balthazar", "?")) for table, word in says(*his)}
    assert says("xanthippe") == {(table, "xanthippe") for table, _ in says("balthazar")}
    kept = said_of("balthazar")
    assert delete_account(ana.pk, now=NOON)
    assert says(*hers) == set()
    assert {(table, word.replace("balthazar", "?")) for table, word in says(*his)} == before
    assert said_of("balthazar") == kept
    assert DeletedAddress.objects.count() == 1
    assert User.objects.filter(email__contains="balthazar").exists()


def said_of(name: str) -> dict[str, int]:
    """How many rows each personal place has of a user."""
    user_id = User.objects.get(email__startswith=name).pk
    return {place.name: place.rows(user_id).count() for place in PLACES}


def test_everybody_of_that_crowd_has_something_in_every_place():
    _, words = somebody("xanthippe")
    assert [name for name, count in said_of("xanthippe").items() if not count] == []
    tables = {table for table, _ in says(*words)}
    assert {"django_cache", "accounts_session", "django_admin_log"} <= tables


def test_the_page_about_personal_data_says_what_the_inventory_says():
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", DOC.read_text(), re.MULTILINE)
    want = [(f"`{p.table}`", p.holds, p.deletion, f"`{p.name}`" if p.exported else "–")
            for p in PLACES]  # fmt: skip
    want += [(f"`{where}`" if "_" in where else where, what, gone, "–")
             for where, (what, gone) in ELSEWHERE.items()]  # fmt: skip
    assert [row for row in rows if row[0] not in {"where", "---"}] == want

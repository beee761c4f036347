import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Value
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.checks_sql import UidOf, known_timezone
from accounts.identity import normalise_email, uid_of
from accounts.models import User
from tests.factories import person

STORABLE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=300
).filter(str.strip)


@given(STORABLE)
@example("a@b.c" * 60)  # base64 in SQL breaks its lines
@example("\U0001f600@ÿ\\'%s.example")
def test_the_key_in_sql_is_the_key_in_python(db, address):
    if not User.objects.exists():
        person()
    rows = User.objects.annotate(key=UidOf(Value(normalise_email(address))))
    assert rows.values_list("key", flat=True).get() == uid_of(address)


def test_every_letter_python_lowercases_is_lowercase_to_the_database(db):
    letters = {c.lower() for c in map(chr, range(0x110000)) if c.isprintable() and c.isalpha()}
    with connection.cursor() as cursor:
        cursor.execute("SELECT x FROM unnest(%s::text[]) x WHERE lower(x) <> x", [list(letters)])
        assert cursor.fetchall() == []


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"])
def test_known_time_zones_pass(name):
    known_timezone(name)


@pytest.mark.parametrize("name", ["", "europe/berlin", "Mars/Olympus", "../etc/passwd", "+02:00"])
def test_unknown_time_zones_are_refused_with_a_remedy(name):
    with pytest.raises(ValidationError) as caught:
        known_timezone(name)
    remedy = f"{name!r} is not a time zone; write one such as Europe/Berlin."
    assert caught.value.messages == [remedy]

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import Value
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.checks_sql import UidOf, checked_email, known_timezone
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


@pytest.mark.parametrize(
    ("raw", "email"),
    [
        (" Ana@Example.COM\n", "ana@example.com"),
        ("o'neil+jobs@example.co.uk", "o'neil+jobs@example.co.uk"),
        ("ana@ExÄmple.de", "ana@exämple.de"),
    ],
)
def test_an_address_is_stored_in_one_spelling(raw, email):
    assert checked_email(raw) == email


INVALID = "Enter a valid email address."
SPACED = "An address holds no spaces and no invisible characters."
LONG = "An address has at most 254 bytes."
WIDE = ".".join(["ä" * 50] * 3)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("", INVALID),
        ("ana", INVALID),
        ("@example.com", INVALID),
        ("ana@example.com\nBcc: bob@example.com", INVALID),
        ("ana@b\x00.com", INVALID),
        ("\ud800@example.com", INVALID),
        ('"ana b"@example.com', INVALID),
        ("ana@b\ud800b.com", SPACED),
        ("ana@b\u3000b.com", SPACED),
        ("ana@b\u200bb.com", SPACED),
        (f"ana@{WIDE}.com", LONG),  # 160 characters: the key would not fit its column
    ],
)
def test_an_address_no_account_can_have_is_refused(raw, reason):
    with pytest.raises(ValidationError) as caught:
        checked_email(raw)
    assert caught.value.messages == [reason]

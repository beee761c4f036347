import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.identity import email_of, normalise_email, uid_of

SPACES = st.text(" \t\r\n\x0b\x1c\x85\xa0\u2003\u2028\u3000", max_size=3)
ADDRESSES = (
    st.text(min_size=1).filter(str.strip).filter(lambda a: not re.search("[\ud800-\udfff]", a))
)


@given(ADDRESSES)
@example("İSTANBUL@x.tr")
@example("ΣΑΣ@x.gr")
@example("Straße@ẞ.de")
@example("\x00@\U0001f600\u200d")
def test_a_key_is_deterministic_reversible_and_url_safe(address):
    uid = uid_of(address)
    assert uid == uid_of(address) == uid_of(email_of(uid))
    assert email_of(uid) == normalise_email(address) == normalise_email(normalise_email(address))
    assert re.fullmatch("[A-Za-z0-9_-]+", uid)


@given(ADDRESSES, ADDRESSES)
def test_keys_are_equal_exactly_for_equal_addresses(one, other):
    assert (uid_of(one) == uid_of(other)) == (one.strip().lower() == other.strip().lower())


@given(ADDRESSES, SPACES, SPACES)
def test_space_around_and_case_do_not_count(address, before, after):
    assert uid_of(before + address + after) == uid_of(address)
    assert uid_of(address.lower()) == uid_of(address)


def test_lowercasing_twice_is_lowercasing_once_for_every_letter():
    assert [c for c in map(chr, range(0x110000)) if c.lower().lower() != c.lower()] == []


@pytest.mark.parametrize("nothing", ["", " \t\n", "\ud800@example.com"])
def test_no_key_for_nothing_or_for_text_without_bytes(nothing):
    with pytest.raises(ValueError):
        uid_of(nothing)


@pytest.mark.parametrize(
    "uid",
    [
        "",
        "a",  # no whole byte
        "YQ==",  # padded
        "YR",  # stray bits: not what encoding gives
        "QQ",  # "A", not lowercase
        "IGE",  # " a", not trimmed
        "_w",  # no UTF-8
        "YS 5i",
        "ä",
        "YWI\n",
    ],
)
def test_what_is_no_key_is_refused(uid):
    with pytest.raises(ValueError, match="Not a uid"):
        email_of(uid)


@given(st.text(max_size=20))
def test_reading_a_key_gives_its_address_or_a_value_error(text):
    try:
        email = email_of(text)
    except ValueError:
        return
    assert uid_of(email) == text

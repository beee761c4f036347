from datetime import UTC, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts import profile_values as values
from accounts.profile_values import ProfileError
from tests.accounts.instruments import JSON, refusal

FAMILY = "\U0001f469\u200d\U0001f4bb"  # a woman, a joiner, a laptop


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("  Django \t developer ", "Django developer"),
        ("two\r\nlines\rthree\u2028four", "two lines three four"),
        ("a\x00b\ud800c\u202ed\x1be", "abcde"),
        ("no\xa0break\u3000space", "no break space"),
        ("cafe\u0301", "café"),
        (FAMILY, FAMILY),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200d\u200c \u200d", ""),
    ],
)
def test_text_is_one_printable_line(raw, kept):
    assert values.text(raw, limit=40) == kept


def test_long_text_keeps_its_lines():
    raw = "\n First  line \r\n\r\n second\x0cthird \n"
    assert values.text(raw, limit=40, lines=True) == "First line\n\nsecond\nthird"


@given(st.text(st.characters(), max_size=50))
def test_text_read_twice_is_text_read_once_and_has_bytes(raw):
    kept = values.text(raw, limit=99, lines=True)
    assert kept == values.text(kept, limit=99, lines=True) == kept.encode().decode()
    assert "\x00" not in kept


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        (22, time(22)),
        (0, time(0)),
        ("7", time(7)),
        ("22:30", time(22, 30)),
        ("07:05:00", time(7, 5)),
        (" 9:15 ", time(9, 15)),
        (None, None),
    ],
)
def test_a_time_of_day_is_an_hour_or_hours_and_minutes(raw, kept):
    assert values.clock_time(raw) == kept


@pytest.mark.parametrize(
    "raw",
    [
        24,
        -1,
        10**400,
        22.5,
        True,
        "",
        "24:00",
        "22:60",
        "22:30:15",
        "22:00Z",
        "22h",
        "٢٢",
        [22],
        {},
    ],
)
def test_what_is_no_time_of_day_is_refused(raw):
    with pytest.raises(
        ProfileError, match="is not a time of day; write one such as 22:00, or null"
    ):
        values.clock_time(raw)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("2030-01-31T08:00:00Z", datetime(2030, 1, 31, 8, tzinfo=UTC)),
        ("2030-01-31T08:00+02:00", datetime(2030, 1, 31, 6, tzinfo=UTC)),
        ("2030-01-31 08:00", datetime(2030, 1, 31, 8, tzinfo=UTC)),
        ("2030-01-31", datetime(2030, 1, 31, tzinfo=UTC)),
        (None, None),
    ],
)
def test_a_moment_is_iso_8601_in_utc(raw, kept):
    assert values.moment(raw) == kept


@pytest.mark.parametrize(
    "raw",
    [
        "tomorrow",
        "",
        20300131,
        True,
        "2030-02-30",
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59-14:00",
        "9999-12-31T00:00",  # there are zones where this is the year after
        "0001-01-01T23:59",
    ],
)
def test_what_is_no_moment_is_refused(raw):
    with pytest.raises(
        ProfileError, match=r"is not a time; write one such as 2030-01-31T08:00:00Z"
    ):
        values.moment(raw)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [(35, "35"), (35.5, "35.5"), ("35.50", "35.50"), (0, "0"), (99.999, "100"), (1e-9, "0")],
)
def test_a_number_has_two_places(raw, kept):
    assert values.number(raw, low=0, high=100) == Decimal(kept)


NO_NUMBERS = [-0.001, 100.001, 10**4000, 1e308, float("inf"), float("nan"), "nan", "-inf"]
NO_NUMBERS += ["1e999999999", "", "ten", "\ud800", True, [], {}]


@pytest.mark.parametrize("raw", NO_NUMBERS)
def test_what_is_no_number_in_range_is_refused(raw):
    with pytest.raises(ProfileError, match="is not a number from 0 to 100; write one, or null"):
        values.number(raw, low=0, high=100)
    with pytest.raises(
        ProfileError, match="is not a whole number from 0 to 100; write one, or null"
    ):
        values.whole(raw, low=0, high=100)


@pytest.mark.parametrize("raw", [70.001, "70.5", None])
def test_a_whole_number_is_not_rounded_and_may_be_needed(raw):
    with pytest.raises(ProfileError, match="is not a whole number from 0 to 100; write one"):
        values.whole(raw, low=0, high=100, or_none=False)
    assert values.whole("70.0", low=0, high=100) == 70


READERS = [
    lambda v: values.text(v, limit=9, least=1),
    lambda v: values.listed(v, each=values.country),
    lambda v: values.one_of(v, choices=("a", "b")),
    lambda v: values.number(v, low=0, high=9),
    lambda v: values.whole(v, low=0, high=9),
    values.flag,
    values.country,
    values.language,
    values.timezone,
    values.clock_time,
    values.moment,
]


@pytest.mark.parametrize("reader", READERS)
@given(value=JSON)
def test_whatever_json_holds_is_read_or_refused_in_words(reader, value):
    said = refusal(reader, value)
    assert not said or ("; write " in said and len(said) < 200)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deliveries.messages.mail_text import COLUMNS, cut, has_rtl, isolate, one_line, wrap

FSI, PDI = "\u2068", "\u2069"


def test_one_line_keeps_no_break_no_control_and_no_override():
    hostile = "a\r\nb\x0bc\x0cd\x1ce\x1df\x1eg\x85h\u2028i\u2029j\x00k\ud800l\u202em\u2069n"
    assert one_line(hostile) == "a b c d e f g h i j k lmn"


def test_one_line_keeps_joined_emoji():
    assert one_line(" 👩‍👩‍👧  ok ") == "👩‍👩‍👧 ok"


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 10, "short"),
        ("exactly 10", 10, "exactly 10"),
        ("some words, and more", 12, "some words…"),
        ("Wwwwwwwwwwwwwwww", 8, "Wwwwwww…"),
        ("ab 👩‍👩‍👧👩‍👩‍👧", 9, "ab 👩‍👩‍👧…"),
        ("e" + "\u0301" * 50, 5, "e\u0301\u0301\u0301…"),
        ("one two three", 8, "one two…"),
        ("", 5, ""),
    ],
)
def test_cut(text, limit, shown):
    assert cut(text, limit) == shown


@given(st.text(), st.integers(2, 60))
def test_cut_stays_within_its_limit(text, limit):
    assert len(cut(text, limit)) <= limit


def test_isolates_only_right_to_left_letters():
    arabic = "مطور Django"
    assert isolate(arabic) == f"{FSI}{arabic}{PDI}"
    assert isolate("שלום") == f"{FSI}שלום{PDI}"
    assert isolate("plain é 日本 🚀") == "plain é 日本 🚀"
    assert not has_rtl("1, 2 and ٣")


def test_wrap_keeps_indent_links_and_single_blank_lines():
    link = "https://example.com/" + "a" * 90
    reason = "+ " + "word " * 20
    assert wrap(f"\n\nTop\n\n\n\n{link}\n{reason}\n\n") == (
        f"Top\n\n{link}\n+ {' '.join(['word'] * 15)}\n  {' '.join(['word'] * 5)}\n"
    )


def test_wrap_closes_and_opens_an_isolate_at_each_break():
    lines = wrap(f"+ {FSI}{'שלום ' * 30}{PDI} (92)").splitlines()
    assert len(lines) == 3
    assert [(line.count(FSI), line.count(PDI)) for line in lines] == [(1, 1), (1, 1), (0, 0)]
    assert lines[2] == "  (92)"
    assert lines[1].startswith(f"  {FSI}")
    assert max(map(len, lines)) <= COLUMNS + 1

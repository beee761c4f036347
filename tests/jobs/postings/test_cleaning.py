"""Hostile text to plain text."""

import time
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from jobs.postings.cleaning import clean_skill, clean_skills, clean_text, clean_title

PIECES = st.sampled_from(
    "<b>|</b>|<br>|<|>|&amp;|&lt;|&|;|H^|^H|<script>|</script|<!--|-->|<span x=|amp|K|b|1|e| |"
    "\u200d|👩|❤\ufe0f|\u0301|\n|\xa0|\x00|\x85|\u202e|\u212abd>|\u0338|\ud800|\u037e|\t".split("|")
)
TEXTS = st.one_of(st.text(), st.text(alphabet=st.characters()), st.lists(PIECES).map("".join))


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Fish &amp; chips &#039;now&#039;", "Fish & chips 'now'"),
        ("R&amp;amp;D", "R&amp;D"),
        ("?a=1&copy=2&section=3", "?a=1&copy=2&section=3"),
        ('A <span class="highlight">React</span> page', "A React page"),
        ("&lt;span class=&quot;highlight&quot;&gt;Vue&lt;/span&gt; page", "Vue page"),
        ("H^Go^H service, H^SQL^H", "Go service, SQL"),
        ("one<br /><br />\ntwo<p>three</p>", "one\n\ntwo\nthree"),
        ("keep a < b, List<String>, I <3 it, <me@x.org>", None),
        ("say<script>alert('x < y')</script> hi", "say hi"),
        ("<b<b>>bold", "bold"),
        ("a\xa0 \u3000b\t\tc", "a b c"),
        ("a\r\nb\x0bc\u2028d\x1ee", "a\nb\nc\nd\ne"),
        ("one\n\n \n\n\ntwo", "one\n\ntwo"),
        ("e\u0301", "é"),
        ("zero\u200bwidth \u202ebidi\u202c \ufeffmark \x00nul \ud800half", None),
        ("👩\u200d👩\u200d👧 and a\u200db", "👩\u200d👩\u200d👧 and ab"),
    ],
)
def test_a_description_becomes_plain_text(raw, clean):
    if clean is None:
        clean = "".join(c for c in raw if unicodedata.category(c)[0] != "C")
    assert clean_text(raw) == clean


def test_a_title_is_one_line():
    assert clean_title(" Fix\nmy\x0b<b>site</b>\u2029now ") == "Fix my site now"


def test_a_long_title_is_cut_between_letters():
    family = "👩\u200d👩\u200d👧"
    assert clean_title("e\u0301" * 400) == "é" * 299 + "…"
    assert clean_title(f"{family} " * 400).rstrip("…").split(" ")[-1] == family


def test_a_text_at_its_limit_is_kept_and_one_above_is_cut():
    assert clean_text("a" * 20_000) == "a" * 20_000
    assert clean_text("a" * 20_001) == "a" * 19_999 + "…"


def test_an_endless_letter_is_cut_too():
    assert len(clean_title("e" + "\u0327\u0301" * 5000)) <= 900


def test_skills_are_kept_once_and_counts_are_none():
    raws = ["React", " react ", "", "+3", "2 more", "C++", "Node.js &amp; npm", "x" * 100]
    assert clean_skills(raws) == ("React", "C++", "Node.js & npm", "x" * 79 + "…")
    assert len(clean_skills(f"skill {n}" for n in range(99))) == 50


@given(TEXTS)
def test_cleaning_a_clean_text_changes_nothing(raw):
    for clean in (clean_text, clean_title, clean_skill):
        once = clean(raw)
        assert clean(once, escaped=False) == once
        if "&" not in once:
            assert clean(once) == once


@given(TEXTS)
def test_no_hidden_character_survives(raw):
    title, text = clean_title(raw), clean_text(raw)
    assert "\n" not in title
    assert title == title.strip()
    for char in set(title + text.replace("\n", "")) - {"\u200d"}:
        assert unicodedata.category(char)[0] not in ("C", "Z") or char == " "
    assert unicodedata.is_normalized("NFC", text)


@given(st.lists(st.sampled_from(["👩\u200d👧", "e\u0301", "🇫🇷", "a", " "]), max_size=700))
def test_a_cut_keeps_whole_graphemes(parts):
    raw = "".join(parts)
    whole = regex.findall(r"\X", unicodedata.normalize("NFC", " ".join(raw.split())))
    found = regex.findall(r"\X", clean_title(raw).removesuffix("…"))
    assert found == whole[: len(found)]
    assert len(found) <= 300


@pytest.mark.parametrize(
    "raw",
    [
        "<b" * 66_000 + ">" * 60_000,
        "<script>" * 25_000,
        "H^" * 50_000 + "^H" * 50_000,
        "<b " * 60_000,
        "&lt;" * 50_000,
        "\u200d" * 200_000,
    ],
    ids=["nested", "scripts", "hits", "open", "entities", "joiners"],
)
def test_hostile_texts_cost_little(raw):
    started = time.perf_counter()
    clean_text(raw * 10)
    assert time.perf_counter() - started < 10

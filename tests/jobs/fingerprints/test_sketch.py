"""Fingerprints: equal for one text, small, the same for ever, and nothing for no text."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.fingerprints import Fingerprint, fingerprint, same_text
from jobs.fingerprints.sketch import _hash, _hashes, likeness
from jobs.fingerprints.wording import words
from tests.jobs.fingerprints.texts import BODY, SHORT, TITLE


def known_by(title, body, market="upwork") -> Fingerprint:
    found = fingerprint(market, title, body)
    assert found is not None
    return found


def same(one, other) -> bool:
    return same_text(known_by(*one), known_by(*other))


def test_a_text_is_its_own():
    assert same((TITLE, BODY), (TITLE.upper(), BODY.replace(". ", ".\n\n* ")))


def test_another_market_is_another_text():
    assert not same((TITLE, BODY), (TITLE, BODY, "workana"))


def test_a_few_words_may_change():
    edited = BODY.replace("small", "young").replace("half an hour", "20 minutes")
    assert same((TITLE, BODY), (TITLE, edited + " Write to us today."))


def test_half_of_another_work_is_another_job():
    words = BODY.split()
    other = " ".join(["Translate", "this", *words[: len(words) // 2], *reversed(words)])
    assert not same((TITLE, BODY), (TITLE, other))


def test_another_word_in_the_title_is_another_job():
    assert not same((TITLE, BODY), (f"{TITLE} in Spanish", BODY))


def test_of_a_short_text_every_word_and_number_counts():
    assert same(("Logo", SHORT), ("LOGO!", SHORT.replace(",", " -")))
    assert not same(("Logo", SHORT), ("Logo", SHORT.replace("3", "4")))
    assert not same(("Logo", SHORT), ("Logo needed", SHORT))


@pytest.mark.parametrize("body", ["", "See title.", "Logo for my bakery"])
def test_a_title_and_no_text_is_nothing_to_know_a_post_by(body):
    assert fingerprint("upwork", "Grant writer", body) is None


def test_it_is_small_however_long_the_text():
    body = " ".join(f"word{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{n % 7}x" for n in range(9000))
    assert len(known_by(TITLE, body).sketch) == 512


def test_other_processes_come_to_the_same():
    program = (
        "import json, sys; from jobs.fingerprints import fingerprint;"
        "f = fingerprint('upwork', *json.load(sys.stdin));"
        "print(json.dumps([f.key, f.sketch.hex()]))"
    )
    out = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps([TITLE, BODY]),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    mine = known_by(TITLE, BODY)
    assert json.loads(out.stdout) == [mine.key, mine.sketch.hex()]


def test_what_is_stored_is_never_known_by_other_words():
    """A change here makes every stored fingerprint worthless for two weeks: do it on purpose."""
    found = known_by(TITLE, BODY)
    assert (found.key, len(found.sketch)) == (137479309368804119, 280)
    assert found.sketch[:4].hex() == "3b331700"


@given(st.text(), st.text())
def test_any_text_has_a_fingerprint_or_none_and_is_like_itself(title, body):
    found = fingerprint("upwork", title, body)
    assert found is None or (same_text(found, found) and -(2**63) <= found.key < 2**63)


def test_likeness_is_exact_for_few_pairs_and_close_for_many():
    few, more = (known_by(TITLE, text).sketch for text in (BODY, BODY + " Write to us today."))
    pairs = len(few) // 4
    assert likeness(few, more) == pairs / (len(more) // 4)
    long = [f"{first}{second}" for first in "bcdfghjklmnpqr" for second in "aeiouvwxz"] * 3
    many = " ".join(word + long[n // 40] for n, word in enumerate(long))
    half = " ".join(many.split()[: len(long) // 2])
    assert likeness(known_by("A", many).sketch, known_by("A", half).sketch) == pytest.approx(
        0.5, abs=0.1
    )


PIECES = ("node.js", ".net", "c++,", "(d.c.", "asp.net!", '"quoted"', "it's", "co-op", "a_b", "x²)")


@given(st.sampled_from(PIECES) | st.text(max_size=12))
def test_the_short_way_to_the_words_of_a_piece_finds_the_same(piece):
    piece = piece.lower()
    assert _hashes(piece) == b"".join(map(_hash, words(piece)))


HAN = (
    "我们正在寻找一位有经验的全栈开发人员，为我们的电子商务网站添加新的支付功能。"
    "网站使用 Django 和 PostgreSQL 构建，需要与支付宝和微信支付对接。"
)
THAI = "เราต้องการนักแปลภาษาไทยเป็นภาษาอังกฤษสำหรับเว็บไซต์ของเรา งานนี้ใช้เวลาสองสัปดาห์"


@pytest.mark.parametrize(
    ("text", "was", "becomes"), [(HAN, "一位", "两位"), (THAI, "สองสัปดาห์", "สามสัปดาห์")]
)
def test_a_text_without_spaces_is_known_by_its_signs(text, was, becomes):
    assert same(("招聘", text), ("招聘", text.replace(was, becomes)))
    assert not same(("招聘", text), ("招聘", text[: len(text) // 3] + text[::-1]))
    assert not same(("招聘", text), ("翻译", text))

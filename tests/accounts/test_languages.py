import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.languages import language_code


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("de", "de"),
        (" DE ", "de"),
        ("German", "de"),
        ("deutsch", "de"),
        ("Español", "es"),
        ("中文", "zh"),
        ("Mandarin", "zh"),
        ("Farsi", "fa"),
        ("Filipino", "tl"),
        ("Русский", "ru"),
        ("Klingon", None),
        ("deu", None),
        ("", None),
        ("xx", None),
    ],
)
def test_languages_by_code_and_by_name(raw, code):
    assert language_code(raw) == code


@given(st.text(st.characters(), max_size=20))
def test_any_text_gives_a_code_that_stays_or_none(raw):
    code = language_code(raw)
    assert code is None or (re.fullmatch("[a-z]{2}", code) and language_code(code) == code)

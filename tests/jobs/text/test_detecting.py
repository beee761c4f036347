import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.text.detecting import same_language, written_in

ENGLISH = "We need a careful developer for our online shop; the work takes several weeks in all."
SPANISH = "Necesitamos un programador para nuestra tienda en línea; el trabajo dura varias semanas."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        (SPANISH, "es"),
        ("Precisamos de um programador para a nossa loja; o trabalho dura várias semanas.", "pt"),
        ("Wir suchen jemanden für unseren Laden im Netz; die Arbeit dauert einige Wochen.", "de"),
        ("Мы ищем опытного разработчика, который будет поддерживать наш магазин", "ru"),
        ("Шукаємо розробника для нашого магазину, робота на місяць", "uk"),
        ("نحتاج إلى مطور لمتجرنا على الإنترنت لعدة أسابيع", "ar"),
    ],
)
def test_a_paragraph_is_told(text, language):
    assert written_in("", text) == language


@pytest.mark.parametrize(
    "text", ["", "Logo", "Python, Django, REST", "https://example.com/a/very/long/address/" * 9]
)
def test_too_little_text_cannot_be_told(text):
    assert written_in("", text) == ""


def test_a_post_in_two_languages_cannot_be_told():
    half = "I need a mobile application for an online shop with chat support and feedback forms. "
    other = "Categoría: Programación. Subcategoría: Diseño de aplicaciones. Tamaño del proyecto. "
    assert written_in("", half + other * 2) in ("", "es", "en")
    assert written_in("", ENGLISH + " " + SPANISH) in ("", "es", "en")


def test_languages_not_told_apart_are_one():
    assert same_language("nb") == same_language("nn") == "no"
    assert same_language("de") == "de"


@given(st.text())
def test_any_text_has_an_answer(text):
    assert len(written_in(text, text)) in (0, 2)

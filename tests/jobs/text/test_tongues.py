import pytest

from jobs.text.tongues import language_of, named_languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "english"),
        ("we need a person for the shop", "english"),
        ("preciso de uma pessoa para o site e para as vendas, com você", "portuguese"),
        ("necesito una persona para el sitio y para las ventas del proyecto", "spanish"),
        ("wir suchen eine person für den laden und die webseite", "german"),
        ("нужен человек для сайта", "russian"),
        ("مطلوب شخص للموقع", "arabic"),
    ],
)
def test_a_paragraph_tells_its_language(text, language):
    assert language_of(text) == language


def test_english_is_not_among_the_named():
    assert named_languages("english to german, germany") == {"german"}

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.text.words import WordIndex, fold

WORDS = ["java", "c++", "c#", ".net", "node.js", "größe", "дизайн", "تصميم", "设计", "call center"]


@pytest.mark.parametrize(
    ("pattern", "text", "named"),
    [
        ("java", "JAVA and more", True),
        ("java", "JavaScript only", False),
        ("unity", "our community", False),
        ("unity", "Unity3D", False),
        ("c++", "modern C++.", True),
        ("c++", "C++17 code", True),
        ("c", "C++ or C#", False),
        ("c", "plain C, please", True),
        ("c#", "in C#/.NET", True),
        (".net", "ASP.NET and .NET 8", True),
        (".net", "ASP.NET only", True),
        (".net", "see example.net", False),
        ("node.js", "Node.js,", True),
        ("r", "R&D budget", False),
        ("r", "Python, R, SQL", True),
        ("cold calling", "Cold-calling\nall day", True),
        ("cold calling", "calling cold", False),
        ("größe", "die GRÖSSE zählt", True),
        ("größe", "Größenordnung", False),
        ("дизайн", "Нужен Дизайн сайта", True),
        ("дизайн", "дизайнер", False),
        ("تصميم", "مطلوب تصميم موقع", True),
        ("تصميم", "تصـميم", True),
        ("设计", "网站设计师", True),
        ("हिंद", "हिंदी", False),
        ("python", "𝐏𝐲𝐭𝐡𝐨𝐧 script", True),
        ("python", "py\u200bthon", True),
        ("html", "HTML+CSS", True),
        ("", "anything", False),
    ],
)
def test_a_pattern_is_found_as_a_whole_word(pattern, text, named):
    assert WordIndex([pattern]).hits([fold(text)]).any() == named


def test_hits_are_patterns_by_texts():
    index = WordIndex(["Java", "sql", "JAVA", " "])
    assert index.patterns == ("java", "sql")
    assert index.hits(["sql", "java sql", ""]).tolist() == [
        [False, True, False],
        [True, True, False],
    ]
    assert index.rows(["SQL", "unknown", "java"]) == [1, 0]


def test_no_patterns_hit_nothing():
    assert WordIndex([]).hits(["text"]).shape == (0, 1)


@given(st.text())
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.lists(st.text(max_size=12), max_size=6), st.lists(st.text(max_size=60), max_size=4))
def test_together_they_find_what_each_finds_alone(patterns, texts):
    texts = [fold(text) for text in texts]
    index = WordIndex(patterns)
    alone = [WordIndex([pattern]).hits(texts)[0].tolist() for pattern in index.patterns]
    assert index.hits(texts).tolist() == alone


@given(st.sampled_from(WORDS), st.text(alphabet=" ,;\n", min_size=1), st.text(alphabet=" ,;\n"))
def test_a_word_between_blanks_and_commas_is_found(word, before, after):
    text = fold(f"x{before}{word}{after}")
    assert WordIndex([word]).hits([text]).any() == bool(text.replace(",", "").strip() != "x")


@given(
    st.sampled_from(["java", "unity", "größe", "дизайн", "تصميم", "call center"]),
    st.sampled_from("aZéßжت9"),
    st.booleans(),
)
def test_a_word_grown_together_with_a_letter_is_another_word(word, letter, before):
    text = letter + word if before else word + letter
    assert not WordIndex([word]).hits([fold(f"one {text} two")]).any()


@given(st.sampled_from(WORDS), st.sampled_from([str.upper, str.title, str.lower]))
def test_a_word_is_found_in_any_case(word, cased):
    assert WordIndex([cased(word)]).hits([fold(f"one {word} two")]).all()
    assert WordIndex([word]).hits([fold(f"one {cased(word)} two")]).all()


@pytest.mark.parametrize(
    ("word", "text"),
    [("istanbul", "İSTANBUL'da ofis"), ("KIRMIZI", "kırmızı logo"), (".net", "a VB.NET tool")],
)
def test_turkish_letters_and_dotted_names_are_found(word, text):
    assert WordIndex([word]).hits([fold(text)]).tolist() == [[True]]

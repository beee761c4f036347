import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from jobs.text.runs import RunIndex, runs_of
from jobs.text.words import WordIndex, fold

WORDS = st.text(st.sampled_from("ab cé+#.&/-_1Яяع漢字क्\u0301'"), max_size=8)


def hits(index, texts):
    return RunIndex(texts, [*map(runs_of, texts)]).hits(index)


@given(st.lists(WORDS, max_size=4), st.lists(WORDS, max_size=4))
@example(["node", ".net", "c++", "ab"], ["node.js", "asp.net", "c++ and c", "ab++ ab#"])
@example(["ab", "ab cé"], ["ab\u0301 ab", "ab cé", "cé ab"])
def test_it_finds_what_reading_all_texts_finds(words, texts):
    index, folded = WordIndex(words), [*map(fold, texts)]
    assert np.array_equal(hits(index, folded), index.hits(folded))


def test_a_word_of_one_run_is_found_without_reading(monkeypatch):
    texts = ["django shop", "a logo", "rest in a django framework", "restful"]
    read = []
    monkeypatch.setattr(WordIndex, "named", lambda self, text: read.append(text) or set())
    assert hits(WordIndex(["django", "kafka"]), texts).tolist() == [
        [True, False, True, False],
        [False] * 4,
    ]
    assert read == []
    hits(WordIndex(["rest framework"]), texts)
    assert read == ["rest in a django framework"]


def test_no_texts_and_no_words():
    assert hits(WordIndex(["django"]), []).shape == (1, 0)
    assert hits(WordIndex([]), ["a"]).shape == (0, 1)

import math
from collections import Counter
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.text.crafts import CRAFT_MASKS
from jobs.text.lexical import Lexical
from jobs.text.lexicon import stem_key, stems, weight
from jobs.text.masks import Masks
from jobs.text.prepared import VERSION, Prepared, is_current, prepare_post
from jobs.text.signs import Signs
from jobs.text.tongues import LANGUAGE_MASKS
from jobs.text.words import fold

PARTS = st.tuples(
    *[st.text(st.sampled_from("django python shop ärger c++ seo\n "), max_size=60)] * 3
)
POST = (
    fold("Survey: German translator, on-site"),
    "\n".join(map(fold, ("Translation", "German"))),
    fold("You are fluent in Spanish and translate surveys for translators."),
)


@given(st.lists(PARTS, min_size=1, max_size=4))
def test_the_words_of_each_part_come_back_with_their_weights(posts):
    lexical = Lexical.of(Prepared.of([prepare_post(*post) for post in posts]))
    for part, column in enumerate((lexical.titles, lexical.tags, lexical.bodies)):
        for j, post in enumerate(posts):
            counts = Counter(stems(post[part]))
            bag = {stem_key(s): weight(s) * (1 + math.log(n)) for s, n in counts.items()}
            size = math.hypot(*bag.values())
            mine = column.owners == j
            found = zip(lexical.vocabulary[column.places[mine]], column.weights[mine], strict=True)
            assert dict(found) == pytest.approx({key: w / size for key, w in bag.items()})


def test_the_signs_come_back():
    signs = Signs.of(Prepared.of([prepare_post(*POST), prepare_post("", "", "")]).headers)
    assert signs.survey.tolist() == signs.on_site.tolist() == [True, False]
    assert signs.study.tolist() == [False, False]
    assert [LANGUAGE_MASKS.named(int(mask)) for mask in signs.title_languages] == [("german",), ()]
    assert [LANGUAGE_MASKS.named(int(mask)) for mask in signs.text_languages] == [
        ("german", "spanish"),
        (),
    ]
    assert LANGUAGE_MASKS.named(int(signs.demanded[0])) == ("spanish",)
    assert CRAFT_MASKS.named(int(signs.title_crafts[0])) == ("translation",)
    assert signs.text_length.tolist() == [len(POST[2]), 0]
    assert signs.tag_count.tolist() == [2, 0]


def test_no_posts_are_no_words():
    assert Lexical.of(Prepared.of([])).dense({"django": 1.0}).tolist() == []


def test_bytes_of_another_version_are_told():
    now = prepare_post(*POST)
    assert is_current(now)
    assert not is_current(bytes([VERSION + 1]) + now[1:])
    assert not is_current(b"")
    assert not is_current(None)


def test_what_the_bytes_mean_changes_with_the_version_only():
    """When this fails, raise VERSION and write the new digest: stored jobs are prepared anew."""
    assert (VERSION, sha256(prepare_post(*POST)).hexdigest()[:16]) == (3, "66afe7cc2fb5fc80")


def test_masks_hold_sets_of_names():
    masks = Masks(("a", "b", "c"))
    assert masks.named(masks.of({"c", "a", "x"})) == ("a", "c")
    assert np.bitwise_count(np.uint64(masks.of("abc"))) == 3
    with pytest.raises(ValueError, match="65 names do not fit into 64 bits"):
        Masks([str(n) for n in range(65)])

from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accounts.terms import SearchTerms
from jobs.scoring.offer import prepare
from jobs.scoring.offer_json import made_of, offer_as_json, offer_from_json

WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
LISTS = st.lists(WORDS, max_size=3).map(tuple)
SEARCHES = st.builds(SearchTerms, headline=WORDS, about=WORDS, wants=WORDS, skills=LISTS)


@given(SEARCHES)
def test_an_offer_comes_back_as_it_was(search):
    offer = prepare(search)
    back = offer_from_json(offer_as_json(offer))
    for each in fields(offer):
        mine, theirs = getattr(offer, each.name), getattr(back, each.name)
        assert np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs
    assert [*back.unwanted] == [*offer.unwanted]


def test_only_words_and_languages_count():
    search = SearchTerms(headline="Django", skills=("Python",))
    assert made_of(search) == made_of(
        SearchTerms(headline="Django", skills=("Python",), min_score=5)
    )
    assert made_of(search) != made_of(SearchTerms(headline="Django", languages=("de",)))

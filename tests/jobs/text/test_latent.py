import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.text import latent
from jobs.text.latent import SCALE, latent_of_bag, latent_of_counts, learn
from jobs.text.lexical import bag
from jobs.text.lexicon import stem_key


def near(one, other):
    return float(latent_of_bag(bag(one)) @ latent_of_bag(bag(other)))


def test_texts_about_one_thing_are_near_without_a_common_word():
    assert near("ethereum wallet", "solidity contract") > 0.5
    assert near("ethereum wallet", "subtitle translation") < 0.2


def test_unknown_words_have_no_direction():
    assert not latent_of_bag(bag("xqzzy")).any()
    assert not latent_of_bag({}).any()


@given(st.text(st.sampled_from("django python shop logo seo ")))
def test_a_direction_has_length_one_or_none(text):
    size = np.linalg.norm(latent_of_bag(bag(text)))
    assert size == pytest.approx(1) or size == 0


def test_stored_directions_are_whole_numbers():
    keys = np.array([stem_key("django")], dtype=np.uint64)
    kept = latent_of_counts(keys, np.ones(1))
    assert kept == pytest.approx(SCALE * latent_of_bag({"django": 1.0}), abs=0.5)


def test_words_used_together_are_learned_to_be_near(monkeypatch):
    together = [{"tea": 1.0, "cup": 1.0}, {"cup": 1.0, "milk": 1.0}, {"sea": 1.0, "ship": 1.0}] * 4
    monkeypatch.setattr(latent, "DIMENSIONS", 2)
    keys, rows = learn(together, ["cup", "milk", "sea", "ship", "tea"])
    monkeypatch.setattr(latent, "_table", lambda: (keys, rows))
    assert float(latent_of_bag({"tea": 1.0}) @ latent_of_bag({"milk": 1.0})) > 0.9
    assert abs(float(latent_of_bag({"tea": 1.0}) @ latent_of_bag({"ship": 1.0}))) < 0.1

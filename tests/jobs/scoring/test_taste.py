from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.terms import SearchTerms
from jobs.postings.posting import Posting
from jobs.scoring import score
from jobs.scoring.taste import (
    MOST_A_JOB,
    MOST_A_TERM,
    MOST_A_THUMB,
    MOST_TERMS,
    Examples,
    Sway,
    Taste,
    Thumb,
    examples_of,
    own_words,
    taste_of,
)
from jobs.table import JobTable

NOW = datetime(2026, 3, 1, tzinfo=UTC)
UP, DOWN = True, False


def table(*titles, description=""):
    posts = [
        Posting(id=f"upwork:{n}", title=t, description=description) for n, t in enumerate(titles)
    ]
    return JobTable.of(posts, [NOW] * len(posts))


def terms(*thumbs, own=()):
    return dict(taste_of([Thumb(*thumb) for thumb in thumbs], own).terms)


def moves(taste, *titles, search=SearchTerms(), **more):  # noqa: B008 -- it is frozen
    jobs = table(*titles, **more)
    sway = Sway.of(Taste(taste), search, jobs, np.arange(len(jobs)))
    return sway.shares.sum(axis=1).round(2).tolist()


def test_a_word_that_the_search_has_come_to_name_moves_no_more():
    later = SearchTerms(skills=("Quokkas",))
    assert moves({"quokka": -6.0}, "A quokka") == [-6]
    assert moves({"quokka": -6.0}, "A quokka", search=later) == [0]


def test_a_like_lifts_and_a_dislike_lowers_the_words_of_the_title():
    assert terms(("Zebra quokka", UP)) == {"quokka": 2.2, "zebra": 2.2}
    assert terms(("Zebra quokka", DOWN)) == {"quokka": -2.2, "zebra": -2.2}


def test_opposite_thumbs_cancel():
    assert terms(("Kubernetes", UP), ("Kubernetes", DOWN)) == {}


def test_words_that_every_post_has_do_not_move():
    assert terms(("Experienced developer needed for a website design project", UP)) == {}


def test_words_of_ones_own_searches_do_not_move():
    own = own_words([SearchTerms(skills=("Kubernetes",), headline="Golang")])
    assert list(terms(("Kubernetes quokkas in Golang", UP), own=own)) == ["quokkas"]


def test_forms_of_a_word_are_one_and_the_newest_is_shown():
    assert list(terms(("Webhooks", UP), ("Webhook", UP))) == ["webhooks"]


def test_each_further_thumb_on_a_word_counts_less():
    one, two, nine = (terms(*[("Kubernetes", UP)] * n)["kubernetes"] for n in (1, 2, 9))
    assert one < two < 2 * one
    assert nine == MOST_A_TERM


@pytest.mark.parametrize("count", [1, 3, 12, 40])
def test_no_thumb_gives_more_than_a_few_points(count):
    title = " ".join(f"zq{letter}x{n}" for n in range(count) for letter in "a")
    assert sum(terms((title, UP)).values()) <= MOST_A_THUMB + 0.05 * count


def test_the_number_of_words_is_bounded_and_the_strongest_stay():
    many = [(f"zqx{n} zqy{n}", UP) for n in range(60)]
    found = terms(("zebra", DOWN), *many)
    assert len(found) == MOST_TERMS
    assert next(iter(found)) == "zebra"


def test_the_title_counts_whole_and_the_text_half():
    taste = {"kubernetes": 3.0}
    assert moves(taste, "Kubernetes operators", "Python") == [3.0, 0.0]
    assert moves(taste, "Python", description="Kubernetes, kubernetes") == [1.5]
    assert moves(taste, "Kubernetes", description="Kubernetes, kubernetes") == [3.0]


def test_a_job_moves_no_further_than_the_bound():
    taste = {f"zqx{n}": 6.0 for n in range(9)}
    assert moves(taste, " ".join(taste)) == [MOST_A_JOB]
    assert moves(dict.fromkeys(taste, -6.0), " ".join(taste)) == [-MOST_A_JOB]


def test_empty_things_move_nothing():
    assert moves({}, "Kubernetes") == [0.0]
    assert moves({"kubernetes": 1.0}) == []
    assert terms(("", UP), ("   ", DOWN)) == {}


def test_scores_move_with_a_sentence_that_says_why():
    jobs = table("Django with webhooks", "Django with wordpress", "Django")
    search, every = SearchTerms(skills=("Django",)), np.arange(3)
    taste = Taste({"webhooks": 4.0, "wordpress": -3.0})
    plain = score([search], jobs, every * 0, every)
    liked, disliked, other = score([search], jobs, every * 0, every, [taste])
    assert [liked.score - plain[0].score, disliked.score - plain[1].score] == [4, -3]
    assert "You liked jobs about webhooks: +4" in liked.reasons
    assert "You turned down jobs about wordpress: −3" in disliked.concerns
    assert other == plain[2]


def test_what_is_kept_low_is_not_lifted():
    jobs = table("Survey about django webhooks")
    taste = Taste({"webhooks": 6.0, "survey": 6.0})
    (found,) = score([SearchTerms(skills=("Django",))], jobs, np.array([0]), np.array([0]), [taste])
    assert found.score <= 35


def test_examples_are_the_newest_titles_each_once():
    thumbs = [Thumb("A", UP), Thumb("B", DOWN), Thumb("", UP), Thumb("A", UP), Thumb("C", UP)]
    assert examples_of(thumbs) == Examples(("A", "C"), ("B",))
    assert examples_of(thumbs, most=1) == Examples(("A",), ("B",))


titles = st.lists(
    st.sampled_from("zebra quokka ocelot wombat python design kubernetes need".split()), max_size=6
).map(" ".join)
thumbs = st.lists(st.tuples(titles, st.booleans()), max_size=12)


@given(thumbs, titles)
def test_one_more_like_lowers_no_word_and_lifts_all_by_a_few_points(before, title):
    old, new = terms(*before), terms((title, UP), *before)
    steps = {word: new.get(word, 0) - old.get(word, 0) for word in {*old, *new}}
    assert min(steps.values(), default=0) >= 0
    assert sum(steps.values()) <= MOST_A_THUMB + 0.05 * len(steps)
    assert max(map(abs, new.values()), default=0) <= MOST_A_TERM


@given(thumbs)
def test_a_taste_mirrors_its_thumbs(given_thumbs):
    turned = [(title, not up) for title, up in given_thumbs]
    mirrored = {word: -points for word, points in terms(*turned).items()}
    assert mirrored == terms(*given_thumbs)

"""A tried job as a card: all that the post says and the search thinks of it."""

from dataclasses import fields

from deliveries.messages.job_card import JobCard
from deliveries.messages.tried_card import card_of
from jobs.postings.posting import Posting
from jobs.preview import Shown
from tests.factories import NOON

OURS = {"job_id", "score", "reasons", "concerns", "search_name", "text_gone"}
OURS |= {"more_url", "less_url"}


def test_a_card_says_everything_that_the_post_says():
    post = Posting(id="upwork:1", title="A shop", skills=("Django",), posted_at=NOON)
    card = card_of(Shown(post, 81, ("It fits.",), ("Far away.",)), "Shops")
    said = {each.name for each in fields(JobCard)} - OURS
    assert {name: getattr(card, name) for name in said} == {n: getattr(post, n) for n in said}
    assert (card.job_id, card.score, card.search_name) == (post.id, 81, "Shops")
    assert (card.reasons, card.concerns) == (("It fits.",), ("Far away.",))

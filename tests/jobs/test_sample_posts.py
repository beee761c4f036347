"""The sample posts are well formed: plain JSON, no database."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from babel import Locale

from accounts.vocabulary import Duration, JobType, Level

Post = dict[str, Any]

PATH = Path(__file__).parents[2] / "jobs" / "sources" / "sample_posts.json"
POSTS: list[Post] = json.loads(PATH.read_text(encoding="utf-8"))
COUNTRIES = {code for code in Locale("en").territories if re.fullmatch("[A-Z]{2}", str(code))}
KEYS = set(
    "id url title description skills job_type hourly_min hourly_max fixed_budget currency "
    "experience_level duration client_country client_spent client_hires client_hire_rate "
    "client_payment_verified client_rating proposals posted_minutes_ago".split()
)
SHORT, LONG = 250, 1200


def wrong(right: Callable[[Post], bool]) -> list[str]:
    """The ids of the posts that are not `right`."""
    return [post["id"] for post in POSTS if not right(post)]


def rates(post: Post) -> list[float]:
    """The hourly bounds that the post states."""
    return [rate for rate in (post["hourly_min"], post["hourly_max"]) if rate is not None]


def test_there_are_eighty_different_posts() -> None:
    assert len(POSTS) == 80
    for key in ("id", "title", "description"):
        assert len({post[key] for post in POSTS}) == 80


def test_trades_vary() -> None:
    first_skills = Counter(post["skills"][0] for post in POSTS)
    assert len(first_skills) >= 20
    assert max(first_skills.values()) <= 10


def test_a_few_are_very_short_or_very_long() -> None:
    lengths = [len(post["description"]) for post in POSTS]
    assert 2 <= sum(length < SHORT for length in lengths) <= 4
    assert 2 <= sum(length > LONG for length in lengths) <= 4
    assert 3000 <= max(lengths) <= 6000


def test_posting_times_are_spread() -> None:
    minutes = [post["posted_minutes_ago"] for post in POSTS]
    assert len(set(minutes)) == 80
    assert sum(minute <= 60 for minute in minutes) >= 8
    assert sum(minute > 360 for minute in minutes) >= 8
    assert all(type(minute) is int and 3 <= minute <= 1300 for minute in minutes)


@pytest.mark.parametrize(
    "awkward",
    ["&amp;", "&#039;", '<span class="highlight">', "ignore your earlier", "begin your proposal"],
)
def test_awkward_text_is_present(awkward: str) -> None:
    assert any(awkward in post["title"] + post["description"] for post in POSTS)


def test_keys_are_exactly_the_known_ones() -> None:
    assert wrong(lambda post: set(post) == KEYS) == []


def test_ids_have_the_sample_shape() -> None:
    assert wrong(lambda post: re.fullmatch(r"sample:[a-z-]+-\d{4}", post["id"]) is not None) == []
    assert wrong(lambda post: "_" not in post["id"]) == []


def test_there_are_no_addresses() -> None:
    assert wrong(lambda post: post["url"] == "") == []


def test_text_is_filled_and_trimmed() -> None:
    def right(post: Post) -> bool:
        texts = [post["title"], post["description"], *post["skills"]]
        return all(text and text == text.strip() for text in texts) and len(post["title"]) <= 120

    assert wrong(right) == []


def test_skills_are_distinct() -> None:
    assert wrong(lambda post: 1 <= len(set(post["skills"])) == len(post["skills"]) <= 15) == []


def test_currency_is_null_exactly_without_money() -> None:
    def right(post: Post) -> bool:
        stated = bool(rates(post)) or post["fixed_budget"] is not None
        return bool(post["currency"] in ({"USD", "EUR", "GBP", "INR"} if stated else {None}))

    assert wrong(right) == []


def test_some_posts_state_no_money() -> None:
    assert sum(post["currency"] is None for post in POSTS) >= 3


def test_money_matches_the_type() -> None:
    assert wrong(lambda post: not rates(post) or post["job_type"] == "hourly") == []
    assert wrong(lambda post: post["fixed_budget"] is None or post["job_type"] == "fixed") == []


def test_money_is_positive_and_in_order() -> None:
    assert wrong(lambda post: rates(post) == sorted(rates(post))) == []
    assert wrong(lambda post: all(0 < rate <= 1000 for rate in rates(post))) == []
    assert wrong(lambda post: 0 < (post["fixed_budget"] or 1) <= 20_000) == []


@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        ("job_type", set(get_args(JobType))),
        ("experience_level", set(get_args(Level))),
        ("duration", set(get_args(Duration))),
        ("client_country", COUNTRIES),
        ("client_payment_verified", {True, False}),
    ],
)
def test_choices_are_known(key: str, allowed: set[object]) -> None:
    assert wrong(lambda post: post[key] is None or post[key] in allowed) == []


@pytest.mark.parametrize(
    ("key", "high"),
    [
        ("client_spent", 1_000_000),
        ("client_hires", 1_000),
        ("client_hire_rate", 100),
        ("client_rating", 5),
        ("proposals", 50),
    ],
)
def test_numbers_are_in_range(key: str, high: int) -> None:
    assert wrong(lambda post: post[key] is None or 0 <= post[key] <= high) == []


def test_clients_without_hires_have_no_hire_rate_or_rating() -> None:
    new = [post for post in POSTS if post["client_hires"] == 0]
    assert new
    assert {(post["client_hire_rate"], post["client_rating"]) for post in new} == {(None, None)}

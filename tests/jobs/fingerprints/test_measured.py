"""How well reposts are told from other jobs: on changes made to real posts, and among them.

`python -m pytest -s` on this file prints the figures of docs/decisions/0005.
"""

import gzip
import itertools
import json
import random
from collections import defaultdict
from functools import cache

import pytest

from jobs.fingerprints import fingerprint, same_text
from tests.jobs.fingerprints.changing import BEFORE, OTHERS, REPOSTS

# The least share that must be found: of descriptions long enough that something may change.
FOUND = {
    "looks": 0.99,
    "closing_line": 0.99,
    "few_words": 0.98,
    "many_words": 0.75,
    "reordered": 0.96,
    "urging_title": 0.97,
    "slip": 0.8,
    "per_state": 0.99,
    "budget": 0.99,
}


@cache
def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture
def posts(cases):
    return read(cases / "jobs.jsonl.gz")


@pytest.fixture
def texts(posts):
    described = [(post["title"], post["description"]) for post in posts]
    whole = [text for text in described if all(map(str.strip, text))]
    return random.Random(5).sample(whole, 300)


def share(texts, name, change, *, long_only):
    """The share of these texts that is known again after the change."""
    rng = random.Random(name)
    known = []
    for title, body in texts:
        first = BEFORE[name](title, body) if name in BEFORE else (title, body)
        one, other = fingerprint("upwork", *first), fingerprint("upwork", *change(rng, title, body))
        if one and (one.sketch or not long_only):
            known.append(other is not None and same_text(one, other))
    return sum(known) / len(known)


@pytest.mark.parametrize("name", REPOSTS)
def test_changes_of_a_poster_are_seen_through(texts, name):
    found = share(texts, name, REPOSTS[name], long_only=True)
    print(f"{name}: {found:.3f}")  # noqa: T201
    assert found >= FOUND[name]


@pytest.mark.parametrize("name", OTHERS)
def test_another_job_on_one_template_stays_another(texts, name):
    taken_for_it = share(texts, name, OTHERS[name], long_only=False)
    print(f"{name}: {taken_for_it:.3f}")  # noqa: T201
    assert taken_for_it <= 0.01


def test_among_real_posts_only_those_a_reader_calls_one_are_taken_for_one(posts):
    """Every pair was read: seven posts of one client for testers in this or that state, and five
    posted again, four of them with the number that Freelancer puts behind."""
    by_key = defaultdict(list)
    for post in posts:
        market = post["id"].partition(":")[0]
        found = fingerprint(market, post["title"], post["description"])
        if found:
            by_key[found.key].append((post, found))
    flagged = [
        (one["title"], other["title"])
        for group in by_key.values()
        for (one, first), (other, second) in itertools.combinations(group, 2)
        if same_text(first, second)
    ]
    per_state = [pair for pair in flagged if all(t.startswith("Website Testing -") for t in pair)]
    again = [pair for pair in flagged if any("-- 2" in title for title in pair)]
    print(f"{len(flagged)} pairs: {len(per_state)} per state, {len(again)} numbered")  # noqa: T201
    assert (len(flagged), len(per_state), len(again)) == (26, 21, 4)

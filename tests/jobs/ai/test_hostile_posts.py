"""No post changes what a model is asked, and no answer that obeys one gets far."""

import json
import re

import pytest

from accounts.terms import SearchTerms
from jobs.ai.naming import model_of
from jobs.ai.prompt import INSTRUCTIONS, SCHEMA, message_of
from jobs.ai.wire import request_of
from jobs.models import Verdict
from jobs.postings.posting import Posting
from tests.factories import JobFactory, person
from tests.jobs.ai.fake_model import KINDS, asked, message, opinion, posts
from tests.jobs.ai.hostile_posts import HONEST, POSTS

SEARCH = SearchTerms(skills=("Django",), headline="Django developer")
_LINE = re.compile(r"(?<=^⟦post j1⟧\n).*(?=\n⟦/post j1⟧$)", re.MULTILINE)
_UNSEEN = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e01ff\0\x1b]")


def posting(text: str = "", number: int = 1, **values) -> Posting:
    return Posting(id=f"upwork:{number}", **{"title": "Work", "description": text, **values})


def bytes_of(kind: str, *found: Posting, search: SearchTerms = SEARCH) -> bytes:
    model = model_of(f"{kind}:m@http://localhost/v1")
    assert model
    return request_of(model, message_of(search, found)).body


def outside(body: bytes) -> bytes:
    """A request with what stands in the first post's fence taken out, byte for byte else."""
    assert body.count("⟦post j1⟧".encode()) == body.count("⟦/post j1⟧".encode()) == 1
    head, _, rest = body.partition("⟦post j1⟧\\n".encode())
    inner, end, tail = rest.partition("\\n⟦/post j1⟧".encode())
    assert end
    assert "⟦".encode() not in inner
    assert "⟧".encode() not in inner
    return head + end + tail


def test_the_corpus_is_large_and_speaks_many_languages():
    assert len(POSTS) >= 60
    assert len(set(POSTS.values())) == len(POSTS)
    assert max(map(len, POSTS.values())) >= 20_000


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("field", ["description", "title", "skills"])
@pytest.mark.parametrize("name", POSTS)
def test_outside_its_fence_a_request_is_the_same_byte_for_byte(kind, field, name):
    text = POSTS[name]
    found = posting(**{field: (text,) * 3 if field == "skills" else text})
    hostile, plain = (
        bytes_of(kind, found, posting("b", 2)),
        bytes_of(kind, posting("a"), posting("b", 2)),
    )
    assert outside(hostile) == outside(plain)


@pytest.mark.parametrize("name", POSTS)
def test_inside_its_fence_a_post_is_one_short_line_of_data(name):
    text = POSTS[name]
    sent = message_of(SEARCH, [posting(text, title=text, skills=(text,) * 50)]).text
    [line] = _LINE.findall(sent)
    assert len(line) < 8_000
    assert not _UNSEEN.search(line)
    data = json.loads(line)
    assert set(data) <= {"title", "description", "skills"}
    assert len(data.get("description", "")) <= 3_000
    assert len(data.get("title", "")) <= 300
    assert len(data.get("skills", [])) <= 30
    assert sent.count("⟦") == sent.count("⟧") == 4


@pytest.mark.parametrize("name", POSTS)
def test_a_search_cannot_leave_its_fence_either(name):
    text = POSTS[name]
    search = SearchTerms(headline=text, about=text, wants=text, skills=(text,), words_any=(text,))
    sent = message_of(search, [posting("a")]).text
    assert sent.count("⟦") == sent.count("⟧") == 4
    assert sent.startswith("⟦search⟧\n{")


def test_instructions_quote_nobody_and_come_first():
    for kind in KINDS:
        sent = json.loads(bytes_of(kind, posting("SECRET WORDS"), search=SEARCH))
        if kind == "anthropic":
            assert (sent["system"], len(sent["messages"])) == (INSTRUCTIONS, 1)
            assert sent["tools"][0]["input_schema"] == SCHEMA
        else:
            assert [m["role"] for m in sent["messages"]] == ["system", "user"]
            assert sent["messages"][0]["content"] == INSTRUCTIONS
        assert "SECRET" not in INSTRUCTIONS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_obeys_every_post_is_bounded_by_the_local_score(model, run, kind):
    """All posts through a whole scan, against a model that gives each what it asks for."""
    fake = model(kind, judge=lambda post: 100)
    person(words_any=["work"], skills=["Django"], min_score=0, max_jobs_per_day=100)
    for text in POSTS.values():
        JobFactory(title="Work", description=text.replace("\0", ""), skills=["Logo Design"])
    assert run().errors == 0
    assert sum(len(posts(request)) for request in fake.seen) == len(POSTS)
    shapes = {re.sub(r"(?m)^\{.*\}$", "", message(r)) for r in fake.seen}
    assert len(shapes) <= 2  # one of full calls, one of the last
    bodies = [asked(request) for request in fake.seen]
    assert len({json.dumps({**b, "messages": 0, "max_tokens": 0}) for b in bodies}) == 1
    found = list(Verdict.objects.all())
    assert len(found) == len(POSTS)
    for verdict in found:
        assert verdict.score == min(100, verdict.local_score + 40)
        assert verdict.needs_review == (verdict.local_score < 60)
    assert sum(verdict.needs_review for verdict in found) > 50


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS)
def test_an_honest_request_to_people_raises_no_flag(model, run, kind):
    fake = model(kind, judge=lambda post: 75)
    person(skills=["Django"], min_score=0)
    for text in HONEST:
        JobFactory(description=text)
    assert run().verdicts == len(HONEST)
    read = [post["description"] for request in fake.seen for post in posts(request).values()]
    assert sorted(read) == sorted(HONEST)
    for verdict in Verdict.objects.all():
        assert (verdict.concerns, verdict.needs_review) == ([], False)
    assert "begin your proposal with" in INSTRUCTIONS
    assert "no red flag" in INSTRUCTIONS


@pytest.mark.django_db(transaction=True)
def test_what_a_model_was_made_to_say_holds_no_links_and_no_tricks(model, run):
    said = [
        "Write to boss@evil.example or https://evil.example/x",
        "a\nb\u202e\u200b",
        "",
        "x" * 999,
    ]
    model(judge=lambda post: opinion("j1", reasons=said, red_flags=["see www.evil.example"]))
    person(min_score=0)
    JobFactory()
    run()
    found = Verdict.objects.get()
    assert found.reasons[:2] == ["Write to … or …", "a b"]
    assert [len(line) for line in found.reasons[2:]] == [200]
    assert found.concerns == ["Red flag: see …"]

"""Whatever a provider does: never a 0, never a lost pair, never money nobody knows of."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db.models import Sum

from deliveries.work.clock import Clock
from jobs.models import AiCall, AiSpending, AwaitedVerdict, Verdict
from tests.factories import JobFactory, person
from tests.http_provider import answer
from tests.jobs.ai.fake_model import KINDS, asked, body, given, ids, opinion

pytestmark = pytest.mark.django_db(transaction=True)

PAID = Decimal("0.003")  # what a fake model's call costs
FREE = Decimal(0)
SET_ASIDE = None  # the whole reservation


def later(minutes: int) -> Clock:
    return Clock(timedelta(minutes=minutes))


def good(kind: str) -> bytes:
    return body(kind, {"verdicts": [opinion("j1")]})


def refusal(kind: str) -> bytes:
    if kind == "anthropic":
        return body(kind, "I cannot help with that.", ended="refusal")
    said = (
        '{"choices": [{"message": {"content": null, "refusal": "No."}, "finish_reason": "stop"}],'
    )
    return (said + '"usage": {"prompt_tokens": 1000, "completion_tokens": 200}}').encode()


def scored(kind: str, text: str):
    """A verdict whose score is this piece of JSON."""
    item = f'{{"id": "j1", "score": {text}, "reasons": [], "concerns": [], "red_flags": []}}'
    return answer("200 OK", body(kind, f'{{"verdicts": [{item}]}}'))


# What a provider does, what the call costs, how often it is asked in one scan, and what is told.
TROUBLES = {
    "429": (lambda k: answer("429 Too Many"), FREE, 2, "left alone"),
    "429 for a minute": (
        lambda k: answer("429 Too Many", headers=["Retry-After: 60"]),
        *(FREE, 1, "left alone"),
    ),
    "500": (lambda k: answer("500 Oh"), FREE, 2, "in trouble (500)"),
    "502": (lambda k: answer("502 Oh"), SET_ASIDE, 2, "in trouble (502)"),
    "529": (lambda k: answer("529 Overloaded"), FREE, 2, "in trouble (529)"),
    "401": (lambda k: answer("401 No"), FREE, 1, "correct SCOUT_SCORER"),
    "404": (lambda k: answer("404 No"), FREE, 1, "correct SCOUT_SCORER"),
    "400": (lambda k: answer("400 No"), FREE, 1, "refuses the request"),
    "302": (lambda k: answer("302 There", headers=["Location: http://1.1.1.1/"]), FREE, 1, "leads"),
    "reset": (lambda k: answer("200 OK", good(k)[:40], ending="reset"), SET_ASIDE, 2, "failed"),
    "reset at once": (lambda k: answer("", ending="reset"), SET_ASIDE, 2, "failed"),
    "hung up": (lambda k: answer("200 OK", good(k), cut=True), SET_ASIDE, 2, "failed"),
    "slow": (lambda k: answer("200 OK", ending="hang"), SET_ASIDE, 1, "within 1 seconds"),
    "dripping": (lambda k: answer("200 OK", ending="drip"), SET_ASIDE, 1, "within 1 seconds"),
    "flood": (lambda k: answer("200 OK", ending="flood"), SET_ASIDE, 2, "too large"),
    "no JSON": (lambda k: answer("200 OK", b"<html>"), SET_ASIDE, 1, "no JSON"),
    "deep": (lambda k: answer("200 OK", b"[" * 100_000), SET_ASIDE, 1, "no JSON"),
    "a list": (lambda k: answer("200 OK", b"[]"), SET_ASIDE, 1, "no object"),
    "nothing": (lambda k: answer("200 OK", b"{}"), SET_ASIDE, 1, "empty"),
    "empty text": (lambda k: answer("200 OK", body(k, "")), PAID, 1, "empty"),
    "no usage": (lambda k: answer("200 OK", body(k, "x", used=None)), SET_ASIDE, 1, "schema"),
    "refused by policy": (lambda k: answer("200 OK", refusal(k)), PAID, 1, "policy"),
    "cut short": (
        lambda k: answer("200 OK", body(k, "{", ended="length" if k == "openai" else "max_tokens")),
        *(PAID, 1, "cut short"),
    ),
    "truncated": (lambda k: answer("200 OK", body(k, '{"verdicts": [{"id"')), PAID, 1, "schema"),
    "prose": (lambda k: answer("200 OK", body(k, "A fine job, 95 of 100.")), PAID, 1, "schema"),
    "another shape": (lambda k: answer("200 OK", body(k, '{"score": 90}')), PAID, 1, "schema"),
    "an unknown id": (lambda k: given(k, opinion("j7")), PAID, 1, "its id is missing"),
    "no verdicts": (lambda k: given(k), PAID, 1, "its id is missing"),
    "an id twice": (lambda k: given(k, opinion("j1"), opinion("j1")), PAID, 1, "repeated"),
    "a key more": (lambda k: given(k, opinion("j1", note="x")), PAID, 1, "outside the schema"),
    "reasons as text": (lambda k: given(k, opinion("j1", reasons="x")), PAID, 1, "outside"),
    "score as text": (lambda k: scored(k, '"80"'), PAID, 1, "outside"),
    "score null": (lambda k: scored(k, "null"), PAID, 1, "outside"),
    "score NaN": (lambda k: scored(k, "NaN"), PAID, 1, "outside"),
    "score 101": (lambda k: scored(k, "101"), PAID, 1, "outside"),
    "score -1": (lambda k: scored(k, "-1"), PAID, 1, "outside"),
    "score true": (lambda k: scored(k, "true"), PAID, 1, "outside"),
    "score 79.5": (lambda k: scored(k, "79.5"), PAID, 1, "outside"),
    "score 1e999": (lambda k: scored(k, "1e999"), PAID, 1, "outside"),
    "a huge score": (lambda k: scored(k, "9" * 5000), PAID, 1, "schema"),
    "score twice": (lambda k: scored(k, '10, "score": 100'), PAID, 1, "schema"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TROUBLES)
def test_a_trouble_costs_what_it_costs_and_the_pair_waits(model, run, settings, smtp, kind, name):
    make, cost, calls, told = TROUBLES[name]
    settings.SCOUT_AI_SECONDS = 1
    fake = model(kind, then=make(kind))
    user, job = person(min_score=0), JobFactory()
    summary = run()
    assert (summary.errors, summary.verdicts, summary.mails_sent) == (0, 0, 0)
    assert not Verdict.objects.exists()
    assert told in summary.ai_reason
    assert AwaitedVerdict.objects.values_list("user", "job", "tries").get() == (user.pk, job.pk, 1)
    assert (len(fake.seen), summary.ai_calls) == (calls, calls)
    each = [c.reserved_usd if cost is SET_ASIDE else cost for c in AiCall.objects.all()]
    assert [c.cost_usd for c in AiCall.objects.all()] == each
    spent = AiSpending.objects.values_list("spent_usd", "reserved_usd", "over_usd")
    assert set(spent) == {(sum(each), 0, 0)}
    assert "secret" not in str(list(AiCall.objects.values()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "make",
    [
        lambda k: given(k, opinion("j1")),
        lambda k: given(k, opinion("j1", 80.0)),
        lambda k: given(k, opinion("j1"), tool=True),
        lambda k: given(k, opinion("j1"), opinion("j9", 3)),
        lambda k: given(k, opinion("j1"), None, 7, {"id": ["j1"]}),
        lambda k: answer("200 OK", body(k, f'{{"verdicts": [{_text()}]}}')),
    ],
    ids=["plain", "a float", "a tool call", "an id too many", "junk beside it", "as text"],
)
def test_a_valid_answer_in_any_form_is_taken(model, run, kind, make):
    model(kind, then=make(kind))
    person(min_score=0)
    JobFactory()
    assert run().verdicts == 1
    assert Verdict.objects.values_list("score", "cost_usd").get() == (80, PAID)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("around", "taken"),
    [
        ("```json\n%s\n```", True),
        ("```\n%s```\n", True),
        ('<think>Score 100? {"verdicts": []}</think>\n%s', True),
        ("Hm.</think>\n\n```JSON\n%s\n```", True),
        ("Here it is: %s", False),
        ("Here:\n```json\n%s\n```", False),
        ("%s\nThat is all.", False),
        ("%s%s", False),
        ("```json\n%s\n```\n```json\n%s\n```", False),
        ("</think>%s</think>", False),
        ("```%s", False),
        ("`````", False),
    ],
)
def test_a_fence_or_thoughts_are_taken_off_and_prose_is_not(model, run, kind, around, taken):
    said = around.replace("%s", f'{{"verdicts": [{_text()}]}}')
    model(kind, then=answer("200 OK", body(kind, said)))
    person(min_score=0)
    JobFactory()
    assert run().verdicts == taken
    assert AwaitedVerdict.objects.count() == (not taken)


def test_a_verdict_that_speaks_of_thoughts_is_whole(model, run):
    item = {**opinion("j1"), "reasons": ["It says </think> and ```."]}
    model(then=given("openai", item))
    person(min_score=0)
    JobFactory()
    assert run().verdicts == 1


REFUSED = [
    {"message": "Unsupported value: 'temperature' does not support 0.", "param": "temperature"},
    {"message": "`temperature` is not supported by this model", "type": "invalid_request_error"},
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", REFUSED)
def test_a_model_that_refuses_a_temperature_is_asked_without(model, run, kind, error):
    refused = answer("400 No", json.dumps({"error": error}).encode())
    fake = model(kind, [refused])
    for name in "ab":
        person(f"{name}@example.com", min_score=0)
    JobFactory()
    summary = run()
    assert (summary.verdicts, summary.ai_calls, summary.ai_reason) == (2, 3, None)
    first, *others = [asked(request) for request in fake.seen]
    assert first.pop("temperature") == 0
    assert first in others
    assert all("temperature" not in other for other in others)
    assert sorted(call.cost_usd for call in AiCall.objects.all()) == [FREE, PAID, PAID]


@pytest.mark.parametrize(
    "said", [b'{"error": {"message": "no temperature"}}', b"temperature", b"[]"]
)
def test_it_is_asked_once_more_at_most(model, run, said):
    fake = model(then=answer("400 No", said))
    person(min_score=0)
    JobFactory()
    assert run().verdicts == 0
    assert len(fake.seen) == 1 + (b"error" in said)


def _text() -> str:
    return '{"id": "j1", "score": 80, "reasons": [], "concerns": [], "red_flags": []}'


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_ids_cost_only_their_own_jobs(model, run, kind):
    said = [opinion("j1", 91), opinion("j2", 92), opinion("j2", 93), opinion("j4", 101)]
    model(kind, then=given(kind, *said, opinion("j6", 96), opinion("zz", 1)))
    person(min_score=0)
    JobFactory.create_batch(6)
    assert run().verdicts == 2
    assert sorted(Verdict.objects.values_list("score", flat=True)) == [91, 96]
    assert AwaitedVerdict.objects.filter(tries=1).count() == 4
    assert sum(Verdict.objects.values_list("cost_usd", flat=True)) == PAID


def test_a_failing_model_is_tried_three_times_then_the_local_score_counts(model, run, smtp):
    fake = model(then=answer("400 No"))
    person(min_score=0)
    JobFactory()
    outcomes = [run(later(15 * scans)) for scans in range(4)]
    assert [s.verdicts for s in outcomes] == [0, 0, 1, 0]
    assert [s.mails_sent for s in outcomes] == [0, 0, 1, 0]
    assert (len(fake.seen), len(smtp.accepted)) == (3, 1)
    found = Verdict.objects.get()
    assert (found.scorer, found.local_score) == ("local:1 (after ai)", None)
    assert found.score > 0
    assert found.reasons
    assert not AwaitedVerdict.objects.exists()


def test_a_model_that_is_well_again_judges_what_waited(model, run, smtp):
    fake = model(script=[answer("400 No"), answer("400 No")])
    person(min_score=0)
    JobFactory()
    assert [run(later(15 * scans)).verdicts for scans in range(4)] == [0, 0, 1, 0]
    assert (len(fake.seen), Verdict.objects.get().scorer) == (3, "openai:test-model")
    assert not AwaitedVerdict.objects.exists()


def test_the_watermark_loses_no_pair_that_waits(model, run):
    fake = model(script=[answer("400 No")])
    person(min_score=0)
    JobFactory()
    run()
    JobFactory()  # newer than what waits
    assert run().verdicts == 2
    assert [len(ids(request)) for request in fake.seen] == [1, 2]


def test_a_post_that_spoils_the_answer_for_all_is_asked_about_alone_at_last(model, run):
    bad = JobFactory(title="Spoil it")

    def judge(post):
        return opinion("j1", 101) if post["title"] == "Spoil it" else 80

    fake = model(judge=judge)
    fake._take = _spoilt(fake._take)
    person(min_score=0)
    JobFactory.create_batch(3)
    outcomes = [run(later(15 * scans)).verdicts for scans in range(3)]
    assert outcomes == [0, 0, 4]
    by_scorer = Verdict.objects.filter(scorer="local:1 (after ai)")
    assert [v.job for v in by_scorer] == [bad]


def _spoilt(take):
    def one(request):
        return answer("400 No") if b"Spoil it" in request.body else take(request)

    return one


def test_a_provider_in_trouble_is_left_alone_for_the_rest_of_a_scan(model, run):
    fake = model(then=answer("503 Down"))
    for name in "abcdef":
        person(f"{name}@example.com", min_score=0)
    JobFactory.create_batch(2)
    assert run().ai_calls == len(fake.seen) == 4
    assert AwaitedVerdict.objects.filter(tries=1).count() == 12
    assert run(later(15)).verdicts == 0
    assert run(later(30)).verdicts == 12  # nobody waits longer for it than who was asked about


STOPPED = {
    "azure": (400, {"code": "content_filter", "message": "The response was filtered."}),
    "openai": (400, {"code": "content_policy_violation", "type": "invalid_request_error"}),
    "router": (403, {"code": 403, "message": "Your input was flagged."}),
    "words": (422, {"message": "Blocked by our content management policy."}),
}


@pytest.mark.parametrize("name", STOPPED)
def test_a_post_that_a_filter_stops_keeps_nobody_elses_from_the_model(model, run, name):
    """It comes to six people: were it the provider's trouble, nobody would be asked about more."""
    status, error = STOPPED[name]
    refused = answer(f"{status} No", json.dumps({"error": error}).encode())
    fake = model()
    take = fake._take
    fake._take = lambda request: refused if b"Spoil it" in request.body else take(request)
    for user in "abcdef":
        person(f"{user}@example.com", min_score=0)
    JobFactory(title="Spoil it")
    JobFactory()
    outcomes = [run(later(15 * scans)) for scans in range(3)]
    assert [one.verdicts for one in outcomes] == [0, 0, 12]
    scorers = Verdict.objects.order_by("job__title").values_list("job__title", "scorer")
    assert {s for title, s in scorers if title == "Spoil it"} == {"local:1 (after ai)"}
    assert {s for title, s in scorers if title != "Spoil it"} == {"openai:test-model"}
    assert "policy" in outcomes[0].ai_reason


def test_a_scan_waits_for_a_provider_only_for_its_share_of_the_time(model, run, settings):
    settings.SCOUT_AI_SECONDS = 30
    model(then=answer("200 OK", ending="hang"))
    for name in "abc":
        person(f"{name}@example.com", min_score=0)
    JobFactory()
    summary = run(seconds=6)
    assert summary.seconds < 5
    assert summary.ai_calls <= 2
    assert AwaitedVerdict.objects.count() == 3


def test_pairs_never_reached_have_their_local_score_after_two_hours(model, run, monkeypatch):
    model()
    monkeypatch.setattr("deliveries.model_judge.ModelJudge._seconds", lambda *_: 0.0)
    person(min_score=0)
    JobFactory()
    first, second = run(), run(later(60))
    assert (first.verdicts, first.ai_reason, second.verdicts) == (0, "out of time", 0)
    assert AwaitedVerdict.objects.get().tries == 0
    assert run(later(125)).verdicts == 1
    assert Verdict.objects.get().scorer == "local:1 (after ai)"


def test_a_job_about_to_go_stale_does_not_wait(model, run, settings):
    settings.SCOUT_FRESH_HOURS = 1
    model(then=answer("400 No"))
    person(min_score=0)
    JobFactory()
    assert run().mails_sent == 1
    assert Verdict.objects.get().scorer == "local:1 (after ai)"


def test_what_waits_when_the_model_is_given_up_has_its_local_score(model, run, settings):
    model(then=answer("400 No"))
    person(min_score=0)
    JobFactory()
    assert run().verdicts == 0
    settings.SCOUT_SCORER = "local"
    assert run().verdicts == 1
    assert Verdict.objects.get().scorer == "local:1"
    assert not AwaitedVerdict.objects.exists()


def test_a_wrong_scorer_leaves_the_local_one_and_says_so(run, settings, smtp):
    settings.SCOUT_SOURCES, settings.SCOUT_SCORER = [], "openai:x"
    person(min_score=0)
    JobFactory()
    summary = run()
    assert (summary.verdicts, "OPENAI_API_KEY" in summary.ai_reason) == (1, True)


def test_more_than_was_reserved_is_counted_all_the_same(model, run):
    used = (10**6, 10**6)
    model(then=given("openai", opinion("j1"), used=used))
    person(min_score=0)
    JobFactory()
    assert run().ai_usd == 11
    assert AiSpending.objects.aggregate(s=Sum("spent_usd"))["s"] == 22
    assert all(row.over_usd > 10 for row in AiSpending.objects.all())

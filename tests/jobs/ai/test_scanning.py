"""Scans in which a model gives the verdicts: whom it is asked about, and what becomes of it."""

from decimal import Decimal

import pytest
from django.db import connection

from accounts.models import Preferences
from accounts.profiles import read_profile
from deliveries.people import save_profile
from deliveries.scan import ScanOptions, scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.ai.prompt import PROMPT_VERSION
from jobs.models import AiCall, AiSpending, AwaitedVerdict, Verdict
from tests.factories import JobFactory, person
from tests.jobs.ai.fake_model import KINDS, asked, ids, opinion, posts

pytestmark = pytest.mark.django_db(transaction=True)


def money(row: AiSpending) -> tuple[Decimal, Decimal]:
    return row.spent_usd, row.reserved_usd


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_gives_the_verdicts(model, run, kind):
    said = {"reasons": ["Django."], "concerns": ["Short."], "red_flags": ["Pays outside."]}
    fake = model(kind, judge=lambda post: opinion("j1", 77, **said))
    user, job = person(), JobFactory()
    summary = run()
    found = Verdict.objects.get()
    assert (found.user, found.job, found.score) == (user, job, 77)
    assert (found.reasons, found.concerns) == (["Django."], ["Red flag: Pays outside.", "Short."])
    assert (found.scorer, found.prompt, found.needs_review) == (
        f"{kind}:test-model",
        PROMPT_VERSION,
        False,
    )
    assert (found.tokens_in, found.tokens_out, found.cost_usd) == (1000, 200, Decimal("0.003"))
    assert (summary.ai_calls, summary.ai_usd, summary.ai_reason) == (1, 0.003, None)
    assert (summary.verdicts, summary.mails_sent) == (1, 1)
    assert [money(row) for row in AiSpending.objects.all()] == [(Decimal("0.003"), 0)] * 2
    assert len(fake.seen) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent_to_whom(model, run, kind):
    fake = model(kind)
    person("secret-name@example.com", headline="Django developer")
    JobFactory(title="One Django job")
    run()
    [request] = fake.seen
    sent = asked(request)
    assert (sent["model"], sent["temperature"]) == ("test-model", 0)
    assert "secret-name" not in request.body.decode()
    assert request.headers["content-type"] == "application/json"
    if kind == "openai":
        assert request.path == "/v1/chat/completions"
        assert request.headers["authorization"] == "Bearer sk-secret-1"
    else:
        assert request.path == "/v1/messages"
        assert request.headers["x-api-key"] == "sk-secret-2"
    assert posts(request)["j1"]["title"] == "One Django job"


def test_without_a_model_nothing_changes(settings, run, smtp):
    settings.SCOUT_SOURCES = []
    person(min_score=0)
    JobFactory()
    summary = run()
    assert (summary.verdicts, summary.ai_calls, summary.ai_usd) == (1, 0, 0)
    assert summary.ai_reason is None
    assert Verdict.objects.get().scorer == "local:1"
    assert not AiCall.objects.exists()
    assert not AiSpending.objects.exists()


def test_a_pair_is_judged_once_and_a_changed_search_judges_only_what_is_new(model, run):
    fake = model()
    person(skills=["Django"])
    JobFactory.create_batch(2)
    run()
    run()
    save_profile(
        "ana@example.com", read_profile({"skills": ["Django", "Python"]}), now=Clock().now()
    )
    JobFactory()
    assert run().ai_calls == 1
    assert [len(ids(request)) for request in fake.seen] == [2, 1]


def test_jobs_of_one_search_go_eight_at_a_time_the_best_first(model, run):
    fake = model()
    person(skills=["Django", "PostgreSQL"])
    JobFactory.create_batch(6)
    JobFactory.create_batch(4, skills=["Django"], description="Django.", title="Django")
    run()
    assert [len(ids(request)) for request in fake.seen] == [8, 2]
    local = dict(Verdict.objects.values_list("job__title", "local_score"))
    order = [local[post["title"]] for request in fake.seen for post in posts(request).values()]
    assert order == sorted(order, reverse=True)


def test_a_score_below_the_gate_stays_local(model, run, settings):
    settings.SCOUT_AI_MIN_SCORE = 101
    fake = model()
    person()
    JobFactory()
    run()
    assert fake.seen == []
    assert Verdict.objects.get().scorer == "local:1"


def test_who_does_not_allow_it_never_reaches_a_provider(model, run):
    fake = model()
    person("ana@example.com", ai_allowed=False)
    bob = person("bob@example.com")
    JobFactory()
    run()
    assert len(fake.seen) == 1
    by_user = dict(Verdict.objects.values_list("user__email", "scorer"))
    assert by_user == {"ana@example.com": "local:1", bob.email: "openai:test-model"}


def test_who_takes_it_back_meanwhile_does_not_reach_it_either(model, run, monkeypatch):
    fake = model()
    person()
    JobFactory()
    found = {user.pk for user in [person()]}
    monkeypatch.setattr("jobs.ai.block.allowing", lambda users: found)
    Preferences.objects.update(ai_allowed=False)
    run()
    assert (fake.seen, Verdict.objects.get().scorer) == ([], "local:1")


def test_people_are_asked_about_apart(model, run):
    fake = model()
    person("ana@example.com")
    person("bob@example.com")
    JobFactory.create_batch(2)
    assert run().ai_calls == 2
    assert [len(ids(request)) for request in fake.seen] == [2, 2]


def test_no_transaction_is_open_while_a_provider_is_asked(model, run, monkeypatch):
    model()
    person()
    JobFactory()
    seen = []
    from jobs.ai import provider

    real = provider.ask

    def ask(*args, **kwargs):
        seen.append(connection.in_atomic_block)
        return real(*args, **kwargs)

    monkeypatch.setattr(provider, "ask", ask)
    run()
    assert seen == [False]


def test_the_cost_of_a_call_is_shared_and_adds_up(model, run):
    model(judge=lambda post: 60)
    person()
    JobFactory.create_batch(7)
    run()
    verdicts = Verdict.objects.all()
    call = AiCall.objects.get()
    assert sum(v.cost_usd for v in verdicts) == call.cost_usd == Decimal("0.003")
    assert sum(v.tokens_in for v in verdicts) == call.tokens_in == 1000
    assert sum(v.tokens_out for v in verdicts) == call.tokens_out == 200


def test_a_score_far_above_the_local_one_is_cut_and_marked(model, run):
    model(judge=lambda post: 100)
    person(skills=["Django"], min_score=0)
    JobFactory(
        title="A new logo",
        description="Draw us a logo. Our shop runs on Django, which does not matter here.",
        skills=["Logo Design"],
    )
    run()
    found = Verdict.objects.get()
    assert found.local_score < 60
    assert (found.score, found.needs_review) == (found.local_score + 40, True)


def test_nothing_waits_when_all_went_well(model, run):
    model()
    person()
    JobFactory()
    run()
    assert not AwaitedVerdict.objects.exists()


def test_where_no_model_was_ever_named_one_look_is_enough(settings, run, monkeypatch):
    settings.SCOUT_SOURCES = []
    monkeypatch.setattr("jobs.ai.awaited.of", lambda users: pytest.fail("asked for each block"))
    person()
    JobFactory()
    assert run().verdicts == 1


def test_a_measurement_of_speed_asks_nobody(model, run):
    fake = model()
    person()
    JobFactory()
    scan(Clock(), Wall(600), ScanOptions(local_only=True))
    assert (fake.seen, Verdict.objects.get().scorer) == ([], "local:1")

"""Money: never more than the limits, whoever asks at the same time, and whoever is killed."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from jobs.ai import budget
from jobs.ai.budget import Limits
from jobs.models import AiCall, AiSpending, Verdict
from tests.factories import JobFactory, person
from tests.jobs.ai.fake_model import ids

pytestmark = pytest.mark.django_db(transaction=True)
ONE = Limits(daily=Decimal(1), user_daily=Decimal("0.5"))


def reserve(user, usd: str, limits: Limits = ONE, now=None):
    now = now or timezone.now()
    return budget.reserve(
        user.pk, Decimal(usd), limits, scorer="openai:x", prompt="1", jobs=1, now=now
    )


def settle(call: int, usd: str, outcome: str = "verdicts") -> None:
    now = timezone.now()
    budget.settle(call, Decimal(usd), outcome=outcome, tokens_in=1, tokens_out=2, now=now)


def standing(user=None) -> tuple[Decimal, Decimal]:
    return AiSpending.objects.values_list("spent_usd", "reserved_usd").get(user=user)


def test_a_reservation_counts_until_it_is_settled():
    user = person()
    found = reserve(user, "0.3")
    assert standing() == standing(user) == (0, Decimal("0.3"))
    settle(found.call, "0.1")
    assert standing() == standing(user) == (Decimal("0.1"), 0)
    settle(found.call, "0.1")
    assert standing() == standing(user) == (Decimal("0.1"), 0)
    call = AiCall.objects.get()
    assert (call.outcome, call.cost_usd, call.tokens_in) == ("verdicts", Decimal("0.1"), 1)


def test_what_was_never_settled_counts_for_its_day_alone():
    user = person()
    assert reserve(user, "0.5").call
    assert reserve(user, "0.000001") == budget.Reservation(None, budget.OF_USER)
    assert reserve(user, "0.5", now=timezone.now() + timedelta(days=1)).call


def test_the_day_has_a_limit_for_everybody_together():
    people = [person(f"{name}@example.com") for name in "abc"]
    found = [reserve(user, "0.5") for user in people]
    assert [bool(one.call) for one in found] == [True, True, False]
    assert found[-1].reason == budget.OF_ALL
    assert budget.of_day(timezone.now()) == (0, 1)


def test_a_limit_that_was_lowered_counts_at_once():
    user = person()
    settle(reserve(user, "0.4").call, "0.4")
    lower = Limits(daily=Decimal("0.3"), user_daily=Decimal("0.3"))
    assert reserve(user, "0.01", lower).reason == budget.OF_ALL


def test_who_does_not_allow_it_or_is_gone_has_no_reservation():
    user = person(ai_allowed=False)
    assert reserve(user, "0.1") == budget.Reservation(None)
    user.delete()
    assert reserve(user, "0.1") == budget.Reservation(None)
    assert not AiCall.objects.exists()


def test_the_database_itself_refuses_to_go_over_the_limit():
    reserve(person(), "0.5")
    with pytest.raises(IntegrityError, match="ai_spending_within_limit"):
        AiSpending.objects.filter(user=None).update(spent_usd=2)


def test_many_at_once_do_not_overshoot():
    people = [person(f"{n}@example.com") for n in range(4)]

    def ask(n: int) -> bool:
        try:
            found = reserve(people[n % 4], "0.07")
            if found.call and n % 3 == 0:
                settle(found.call, "0.07")
            return bool(found.call)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(ask, range(60)))
    spent, reserved = standing()
    assert sum(got) == 14
    assert spent + reserved == Decimal("0.98")
    users = AiSpending.objects.exclude(user=None)
    assert sum(row.spent_usd + row.reserved_usd for row in users) == Decimal("0.98")
    assert AiCall.objects.count() == 14


def test_without_money_the_local_score_counts_and_the_scan_says_why(model, run, settings, smtp):
    settings.SCOUT_AI_DAILY_USD = Decimal(0)
    fake = model()
    person(min_score=0)
    JobFactory.create_batch(3)
    summary = run()
    assert (summary.ai_calls, summary.ai_usd, summary.ai_reason) == (0, 0, budget.OF_ALL)
    assert (summary.verdicts, summary.jobs_sent, fake.seen) == (3, 3, [])
    assert set(Verdict.objects.values_list("scorer", flat=True)) == {"local:1 (no ai budget)"}


def test_a_small_budget_goes_to_the_best_in_smaller_calls(model, run, settings):
    fake = model()
    settings.SCOUT_AI_USER_DAILY_USD = Decimal("0.0125")  # for two at once 0.013 are set aside
    person(min_score=0)
    JobFactory.create_batch(4)
    summary = run()
    # Each sets 0.008 aside and costs 0.003.
    assert [len(ids(request)) for request in fake.seen] == [1, 1]
    assert (summary.ai_calls, summary.ai_reason) == (2, budget.OF_USER)
    scorers = Verdict.objects.order_by("scorer").values_list("scorer", flat=True)
    assert list(scorers) == ["local:1 (no ai budget)"] * 2 + ["openai:test-model"] * 2


def test_a_user_without_money_stands_in_nobodys_way(model, run, settings):
    model()
    ana, bob = person("ana@example.com"), person("bob@example.com")
    JobFactory()
    now = timezone.now()
    AiSpending.objects.create(day=now.date(), user=ana, limit_usd=10, spent_usd=10)
    assert run().ai_calls == 1
    assert Verdict.objects.get(user=bob).scorer == "openai:test-model"
    assert Verdict.objects.get(user=ana).scorer == "local:1 (no ai budget)"


def test_an_unknown_price_counts_as_the_ceiling(model, run, settings):
    model()
    settings.SCOUT_AI_PRICES, settings.SCOUT_AI_CEILING_PRICE = ["other=0/0"], "100/1000"
    person(min_score=0)
    JobFactory()
    assert run().ai_usd == 0.3


def test_health_shows_it(model, run, client):
    model()
    person(min_score=0)
    JobFactory()
    run()
    told = client.get("/healthz/scans").json()["ai"]
    assert told == {
        "scorer": "openai:test-model",
        "calls": 1,
        "usd": 0.003,
        "reason": None,
        "usd_today": 0.003,
        "usd_a_day": 10.0,
    }

"""Killed at every boundary of a call and run again, and several at once."""

from decimal import Decimal

import pytest
from django.db import connection

from accounts.boundaries import watched
from accounts.identity import uid_of
from deliveries.models import Delivery
from deliveries.scan import ScanOptions, scan
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.models import AiCall, AiSpending, AwaitedVerdict, Verdict
from tests.factories import JobFactory, person
from tests.http_provider import answer
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = [
    (name, moment)
    for name in (
        *("ai: reserve", "ai: ask", "ai: settle", "ai: await", "ai: forget"),
        *("verdicts: keep", "ledger: record", "watermark: note"),
    )
    for moment in ("before", "after")
]


class Killed(BaseException):
    """The process dies here."""


@pytest.mark.parametrize(("name", "moment"), POINTS)
@pytest.mark.parametrize("nth", [0, 1])
def test_killed_anywhere_nothing_is_lost_mailed_twice_or_paid_for_silently(
    model, run, smtp, name, moment, nth
):
    """Of three users, one's call fails at first: so that something waits, too."""
    model(script=[None, answer("400 No")])
    for user in "abc":
        person(f"{user}@example.com", min_score=0)
    JobFactory.create_batch(2)
    left = [nth]

    def watcher(crossed, at):
        if (crossed, at) == (name, moment):
            left[0] -= 1
            if left[0] < 0:
                raise Killed

    try:
        with watched(watcher):
            run()
            run()
    except Killed:
        pass
    for _ in range(3):
        run()
    assert Verdict.objects.count() == 6
    assert len(smtp.accepted) == len({to for mail in smtp.accepted for to in mail.recipients}) == 3
    assert not AwaitedVerdict.objects.exists()
    calls = list(AiCall.objects.all())
    open_ = sum(call.reserved_usd for call in calls if not call.outcome)
    spent = sum(call.cost_usd for call in calls)
    whole = AiSpending.objects.get(user=None)
    assert (whole.spent_usd, whole.reserved_usd) == (spent, open_)
    paid_for = sum(Verdict.objects.values_list("cost_usd", flat=True))
    assert spent >= paid_for


def test_workers_side_by_side_judge_each_pair_once_and_keep_the_budget(model, run, settings, smtp):
    settings.SCOUT_AI_DAILY_USD = Decimal("0.05")
    fake = model()
    for user in "abcdefgh":
        person(f"{user}@example.com", min_score=0)
    JobFactory.create_batch(3)

    def one(user: str):
        return lambda: scan(
            Clock(), Wall(600), ScanOptions(work_only=True, user_id=uid_of(f"{user}@example.com"))
        )

    ended = together(*[one(user) for user in "abcdefgh"])
    assert [summary.errors for summary in ended] == [0] * 8
    run()
    assert Verdict.objects.count() == 24
    assert len(smtp.accepted) == 8
    whole = AiSpending.objects.get(user=None)
    assert (whole.reserved_usd, whole.over_usd) == (0, 0)
    assert whole.spent_usd == len(fake.seen) * Decimal("0.003") <= Decimal("0.05")
    assert whole.spent_usd == sum(Verdict.objects.values_list("cost_usd", flat=True))


def test_of_two_workers_on_one_user_the_first_verdict_counts_for_both(model, run, smtp):
    """The second begins while the first waits for the model, and is told something else."""
    begun = []

    def judge(post):
        begun.append(post)
        if len(begun) > 1:
            return 10
        try:
            assert scan(Clock(), Wall(600), ScanOptions(work_only=True)).ai_calls == 1
        finally:
            connection.close()
        return 90

    model(judge=judge)
    person(min_score=30)
    JobFactory()
    run()
    assert len(begun) == 2
    assert list(Verdict.objects.values_list("score", flat=True)) == [10]
    assert not smtp.accepted
    assert not Delivery.objects.exists()

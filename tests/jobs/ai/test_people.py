"""What models cost and wait for follows its user, and goes with them."""

import pytest
from django.utils import timezone

from accounts.identity import uid_of
from deliveries.leaving import delete_account
from deliveries.moving import change_address
from jobs.ai import provider
from jobs.models import AiCall, AiSpending, AwaitedVerdict, Verdict
from tests.factories import JobFactory, person
from tests.jobs.ai.fake_model import given, opinion
from tests.whole_database import mentions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana(model, run):
    """A user with one verdict of a model, and one that it owes."""
    model(then=given("openai", opinion("j1", 10)))
    user = person(min_score=100)
    JobFactory.create_batch(2)
    run()
    assert Verdict.objects.count() == AwaitedVerdict.objects.count() == 1
    return user


def test_it_moves_with_an_address(ana, run):
    assert change_address(ana.pk, "new@example.com", now=timezone.now()) == uid_of(
        "new@example.com"
    )
    for table in (AiCall, AwaitedVerdict, AiSpending):
        assert table.objects.filter(user=uid_of("new@example.com")).count() == 1
    assert mentions(ana.pk) == {}
    run()
    assert Verdict.objects.count() == 2


def test_it_goes_with_an_account_and_the_money_stays_counted(ana):
    assert delete_account(ana.pk, now=timezone.now())
    assert mentions(ana.pk) == {}
    assert not AiCall.objects.exists()
    assert not AwaitedVerdict.objects.exists()
    assert AiSpending.objects.get().spent_usd > 0


def test_a_call_of_an_account_deleted_meanwhile_leaves_what_was_set_aside(model, run, monkeypatch):
    user, real = person(min_score=0), provider.ask
    fake = model()
    JobFactory()

    def ask(*args, **kwargs):
        delete_account(user.pk, now=timezone.now())
        return real(*args, **kwargs)

    monkeypatch.setattr(provider, "ask", ask)
    summary = run()
    assert (len(fake.seen), summary.errors, summary.mails_sent) == (1, 0, 0)
    whole = AiSpending.objects.get()
    assert whole.spent_usd == 0
    assert whole.reserved_usd > 0

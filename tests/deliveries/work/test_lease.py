"""The lease: one winner, healed by time, given back by whoever took it."""

from datetime import timedelta

import pytest

from deliveries.models import Lease
from deliveries.work import lease
from deliveries.work.clock import database_time
from tests.threads import behind, together

pytestmark = pytest.mark.django_db


def moved(seconds: int) -> None:
    """As if the lease ended so many seconds from now."""
    Lease.objects.update(until=database_time() + timedelta(seconds=seconds))


def test_one_at_a_time_and_each_by_name():
    token = lease.take("scan", 600)
    assert token
    assert lease.take("scan", 600) is None
    assert lease.take("other", 600)
    assert lease.release("scan", token)
    assert lease.take("scan", 600)


def test_it_ends_by_the_clock_of_the_database():
    before = database_time()
    lease.take("scan", 600)
    until = Lease.objects.get().until - timedelta(seconds=600)
    assert before <= until <= database_time()


@pytest.mark.parametrize(("seconds", "free"), [(1, False), (599, False), (0, True), (-60, True)])
def test_an_expired_lease_is_free(seconds, free):
    lease.take("scan", 600)
    moved(seconds)
    assert (lease.take("scan", 600) is not None) is free


def test_a_lease_taken_by_a_clock_that_was_ahead_does_not_last():
    lease.take("scan", 600)
    moved(86_400)
    assert lease.take("scan", 600)


def test_only_the_token_that_took_it_gives_it_back():
    slow = lease.take("scan", 600)
    moved(-1)
    new = lease.take("scan", 600)
    assert not lease.release("scan", slow)
    assert not lease.release("scan", "")
    assert not lease.release("other", new)
    assert lease.take("scan", 600) is None
    assert lease.release("scan", new)
    assert not lease.release("scan", new)


@pytest.mark.parametrize("seconds", [0, -1])
def test_it_can_be_off(seconds):
    assert [lease.take("scan", seconds) for _ in range(2)] == ["", ""]
    assert not Lease.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("left_over", [False, True])
def test_of_many_at_once_one_wins(left_over):
    if left_over:
        lease.take("scan", 600)
        moved(-1)
    tokens = together(*[lambda: lease.take("scan", 600)] * 6)
    [winner] = [token for token in tokens if token is not None]
    assert Lease.objects.get().token == winner


@pytest.mark.django_db(transaction=True)
def test_a_taker_who_waited_for_another_does_not_take_its_newer_lease():
    lease.take("scan", 600)
    moved(-1)
    won: list[str | None] = []
    waited = behind(
        lambda: Lease.objects.select_for_update().get(),
        lambda: lease.take("scan", 600),
        then=lambda: won.append(lease.take("scan", 600)),
    )
    assert (waited, Lease.objects.get().token) == ([None], won[0])

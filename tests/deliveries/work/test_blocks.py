"""Taking users in blocks: the longest waiting first, nobody twice, killers last and alone."""

from datetime import timedelta
from itertools import chain
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import Preferences, Suppression
from deliveries.models import Visit
from deliveries.work.blocks import blocks, end_visit, take_block, waiting
from deliveries.work.clock import database_time
from tests.factories import person
from tests.threads import aside

pytestmark = pytest.mark.django_db
side_by_side = pytest.mark.django_db(transaction=True)


def people(letters: str, **profile: Any) -> list[str]:
    return [person(f"{letter}@example.com", **profile).pk for letter in letters]


def visited(users: list[str], hours_ago: int | None) -> None:
    """As if each had been visited so long ago, the last one last."""
    for n, user in enumerate(users):
        at = hours_ago and database_time() - timedelta(hours=hours_ago, seconds=-n)
        Preferences.objects.filter(pk=user).update(visited_at=at)


def take(size: int = 500, **options: Any) -> list[str] | None:
    now = database_time()
    taken = take_block(**{"started": now, "now": now, "size": size, **options})
    return None if taken is None else list(taken)


def test_the_longest_waiting_come_first():
    a, b, c, d = people("abcd")
    visited([c, a], 3)
    visited([d], 2)
    started = database_time()
    assert [take(1, started=started) for _ in range(5)] == [[b], [c], [a], [d], None]


def test_everybody_is_visited_once_a_run():
    users = people("abcde")
    started = database_time()
    found = [list(block) for block in blocks(started=started, now=started, size=2)]
    assert sorted(chain(*found)) == sorted(users)
    assert [len(block) for block in found] == [2, 2, 1]
    assert waiting(started=started) == 0


def test_one_user_alone():
    a, b = people("ab")
    started = database_time()
    assert waiting(started=started, user_id=a) == 1
    assert [list(x) for x in blocks(started=started, now=started, user_id=a)] == [[a]]
    assert (waiting(started=started, user_id=a), waiting(started=started)) == (0, 1)
    assert take(started=started) == [b]


def test_who_is_to_be_matched():
    now = database_time()
    on, off, out = people("abc")
    [paused] = people("d", paused_until=(now + timedelta(hours=1)).isoformat())
    [back] = people("e", paused_until=(now - timedelta(seconds=1)).isoformat())
    person("b@example.com").__class__.objects.filter(pk=off).update(is_active=False)
    Suppression.objects.create(user_id=out, reason="opted_out")
    taken = take_block(started=now, now=now)
    assert taken == {on: True, off: False, out: False, paused: False, back: True}


@side_by_side
def test_stamp_and_visit_are_committed_before_the_block_is_handed_out():
    [a] = people("a")
    started = database_time()
    take(started=started)
    with aside(lambda: (waiting(started=started), list(Visit.objects.values_list()))) as [seen]:
        assert seen.result() == (0, [(a,)])


@side_by_side
def test_a_block_is_never_taken_inside_a_transaction():
    people("a")
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        take()


@side_by_side
def test_workers_share_no_user():
    users = people("abcdefghijkl")
    started = database_time()

    def work() -> list[str]:
        return list(chain(*blocks(started=started, now=started, size=2)))

    with aside(work, work, work) as workers:
        found = list(chain(*(worker.result() for worker in workers)))
    # A worker that finds every row locked ends; whatever it left, somebody else has or will.
    assert len(found) == len(set(found))
    assert len(found) + waiting(started=started) == len(users)


@side_by_side
def test_a_worker_passes_over_whom_somebody_holds():
    a, b = people("ab")
    with transaction.atomic():
        Preferences.objects.select_for_update().get(pk=a)
        with aside(take) as [other]:
            assert other.result() == [b]


def test_users_of_a_killed_visit_come_last_and_one_by_one():
    first = people("abc")
    take()  # and the process is killed
    second = people("de")
    started = database_time()
    found = [list(block) for block in blocks(started=started, now=started)]
    assert found[0] == sorted(second)
    assert sorted(found[1:]) == sorted([user] for user in first)


def served_until_killed_by(killer: str) -> list[str]:
    """Whom a run serves before the process dies with this user in hand."""
    served, started = [], database_time()
    while block := take(started=started):
        if killer in block:  # nothing is noted any more
            assert block == [killer]
            break
        served += block
        end_visit(block)
    return sorted(served)


def test_whoever_kills_the_process_soon_stands_in_nobodys_way():
    killer, *others = sorted(people("abc"))
    take()  # and the process is killed
    served = [served_until_killed_by(killer) for _ in range(3)]
    assert served == [[], sorted(others), sorted(others)]
    assert list(Visit.objects.values_list("user_id", flat=True)) == [killer]


def test_a_visit_that_ended_leaves_nothing_behind():
    people("ab")
    end_visit(take() or [])
    assert not Visit.objects.exists()


def test_a_stamp_from_the_future_keeps_nobody_waiting():
    [a] = people("a")
    visited([a], -24)
    started = database_time()
    assert take(started=started) == [a]
    assert take(started=started) is None


@side_by_side
def test_a_user_who_is_being_deleted_is_passed_over():
    a, b = people("ab")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_preferences WHERE user_id = %s", [a])
        with aside(take) as [other]:
            assert other.result() == [b]

"""Boundaries on a real database: what is kept, what the watchers see, and when."""

from contextlib import suppress

import pytest
from django.db import IntegrityError, transaction

from accounts.boundaries import commit, effect, undone, watched
from accounts.models import DeletedAddress
from tests.threads import together

pytestmark = pytest.mark.django_db(transaction=True)


class KilledError(BaseException):
    """As if the process had died."""


def write(name: str) -> None:
    """A change in the database."""
    DeletedAddress.objects.create(address_hash=name)


def write_and_fail(name: str, error: type[BaseException]) -> None:
    """A change, and an error right after it."""
    write(name)
    raise error


def seen() -> list[str]:
    """The changes that are committed: what another connection sees."""

    def read() -> list[str]:
        return list(DeletedAddress.objects.order_by("pk").values_list("pk", flat=True))

    [found] = together(read)
    return found


class Watcher(list):
    """Notes every crossing with what was committed by then; raises at one of them."""

    def __init__(self, *, at=None, error=None) -> None:
        super().__init__()
        self.at, self.error = at, error

    def __call__(self, name: str, moment: str) -> None:
        self.append((name, moment, seen()))
        if (name, moment) == self.at:
            raise self.error


def test_a_commit_is_kept_and_watched_around_its_commit():
    watcher = Watcher()
    with watched(watcher), commit("a: save"):
        write("a")
        assert watcher == []
    assert watcher == [("a: save", "before", []), ("a: save", "after", ["a"])]
    assert seen() == ["a"]


@pytest.mark.parametrize("error", [KilledError, RuntimeError])
def test_what_is_raised_before_the_commit_undoes_it(error):
    watcher = Watcher(at=("a: save", "before"), error=error)
    with watched(watcher), pytest.raises(error), commit("a: save"):
        write("a")
    assert (len(watcher), seen()) == (1, [])


@pytest.mark.parametrize("error", [KilledError, RuntimeError])
def test_what_is_raised_after_the_commit_undoes_nothing(error):
    watcher = Watcher(at=("a: save", "after"), error=error)
    with watched(watcher), pytest.raises(error), commit("a: save"):
        write("a")
    assert (len(watcher), seen()) == (2, ["a"])


@pytest.mark.parametrize("error", [KilledError, RuntimeError])
def test_a_body_that_fails_crosses_nothing_and_leaves_nothing(error):
    watcher = Watcher()
    with watched(watcher), pytest.raises(error), commit("a: save"):
        write_and_fail("a", error)
    assert (watcher, seen()) == ([], [])


def test_a_return_from_inside_is_kept_and_watched():
    def save() -> str:
        with commit("a: save"):
            write("a")
            return "saved"

    watcher = Watcher()
    with watched(watcher):
        assert save() == "saved"
    assert [moment for _, moment, _ in watcher] == ["before", "after"]
    assert seen() == ["a"]


def test_a_commit_in_a_commit_is_kept_with_it():
    watcher = Watcher()
    with watched(watcher), commit("a: outer"):
        write("a")
        with commit("a: inner"):
            write("b")
    assert watcher == [
        ("a: inner", "before", []),
        ("a: inner", "after", []),
        ("a: outer", "before", []),
        ("a: outer", "after", ["a", "b"]),
    ]


def test_a_commit_in_a_commit_is_lost_with_it():
    watcher = Watcher(at=("a: outer", "before"), error=KilledError)
    with watched(watcher), pytest.raises(KilledError), commit("a: outer"), commit("a: inner"):
        write("b")
    assert seen() == []


def test_a_commit_in_a_commit_is_lost_alone():
    with commit("a: outer"):
        write("a")
        with pytest.raises(IntegrityError), commit("a: inner"):
            write_and_fail("b", IntegrityError)
        write("c")
    assert seen() == ["a", "c"]


def test_a_durable_commit_is_the_outermost():
    with commit("a: save", durable=True):
        write("a")
    assert seen() == ["a"]
    for outer in (commit("a: outer"), undone(), transaction.atomic()):
        inner = commit("a: save", durable=True)
        with outer, pytest.raises(RuntimeError, match="durable"), inner:
            write("b")
    assert seen() == ["a"]


def test_an_effect_happens_between_its_moments():
    done = []
    with watched(lambda *crossing: done.append(crossing)), effect("a: send"):
        done.append("sent")
    assert done == [("a: send", "before"), "sent", ("a: send", "after")]


@pytest.mark.parametrize("error", [KilledError, RuntimeError])
def test_an_effect_does_not_happen_when_the_moment_before_it_fails(error):
    sent = []
    watcher = Watcher(at=("a: send", "before"), error=error)
    with watched(watcher), pytest.raises(error), effect("a: send"):
        sent.append("a")
    assert (sent, len(watcher)) == ([], 1)


def test_an_effect_that_failed_has_no_moment_after_it():
    watcher = Watcher()
    with watched(watcher), pytest.raises(KilledError), effect("a: send"):
        raise KilledError
    assert [moment for _, moment, _ in watcher] == ["before"]


def test_an_effect_is_no_transaction():
    with pytest.raises(KilledError), effect("a: send"):
        write_and_fail("a", KilledError)
    assert seen() == ["a"]


def test_what_is_undone_was_there_inside_only():
    watcher = Watcher()
    with watched(watcher), undone():
        write("a")
        assert DeletedAddress.objects.count() == 1
    assert (watcher, seen()) == ([], [])


def test_a_commit_is_undone_with_what_is_around_it():
    with undone(), commit("a: save"):
        write("a")
    assert seen() == []


def test_undoing_leaves_what_is_around_it():
    with commit("a: save"):
        write("a")
        with undone():
            write("b")
        write("c")
    assert seen() == ["a", "c"]


@pytest.mark.parametrize("error", [KilledError, RuntimeError])
def test_an_error_while_undoing_is_that_error(error):
    with pytest.raises(error), undone():
        write_and_fail("a", error)
    assert seen() == []


def test_nobody_watches_any_more_after_an_error():
    watcher = Watcher()
    with suppress(KilledError), watched(watcher):
        raise KilledError
    with commit("a: save"), effect("a: send"):
        write("a")
    assert watcher == []


def test_several_watchers_see_each_moment_in_the_order_they_came():
    calls = []
    first, second = (watched(lambda *_, name=n: calls.append(name)) for n in ("first", "second"))
    with first, second, effect("a: send"):
        calls.append("sent")
    assert calls == ["first", "second", "sent", "first", "second"]


def test_the_first_watcher_that_raises_is_the_last_to_see_the_moment():
    first, second = Watcher(at=("a: send", "before"), error=KilledError), Watcher()
    with watched(first), watched(second), pytest.raises(KilledError), effect("a: send"):
        pass
    assert (len(first), second) == (1, [])


def test_a_watcher_sees_every_thread():
    names = []

    def send(name: str) -> None:
        with effect(name):
            pass

    with watched(lambda name, _: names.append(name)):
        together(lambda: send("a: send"), lambda: send("b: send"))
    assert sorted(names) == ["a: send"] * 2 + ["b: send"] * 2

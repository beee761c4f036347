"""Two users, two jobs: every single fault and every pair of deaths, the lease on and off.

SMALL_CASES=all also takes two people of one mode, and lets the first fault of every pair be a
failing database too; that takes minutes.  The figures are properties of the tests, in a report:
-o junit_family=xunit1 --junitxml=FILE
"""

import logging
import os
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from accounts.boundaries import commit, undone
from deliveries import alerts, ledger
from deliveries.ledger import alerts as ledger_alerts
from tests.simulation import tables
from tests.simulation.faults import ANY, Fault
from tests.simulation.moment import moved_clock
from tests.simulation.provider import DEATHS
from tests.simulation.small_cases import HOUR, Exploration, settle
from tests.simulation.states import Kind, Remembering, State
from tests.simulation.violations import Violation

pytestmark = pytest.mark.django_db(transaction=True)

ONE_OF_EACH: Final = ("instant", "daily")
KINDS: Final[tuple[Kind, ...]] = ("scan", "digest")
TRIED: Final = 8
ALL: Final = os.environ.get("SMALL_CASES") == "all"
PEOPLE: Final = [ONE_OF_EACH, *([("instant", "instant"), ("daily", "daily")] if ALL else [])]


@pytest.fixture
def world(request, tmp_path) -> Iterator[Remembering]:
    """Two people and two posts; the test says whose, and whether the lease is on."""
    modes, lease = getattr(request, "param", (ONE_OF_EACH, False))
    logging.disable(logging.CRITICAL)
    with moved_clock():
        tables.wipe()
        world = Remembering(tmp_path, lease=lease)
        with world.alive():
            settle(world, modes)
            yield world
        tables.wipe()
    logging.disable(logging.NOTSET)


def every(leases: list[bool]) -> pytest.MarkDecorator:
    cases = [(modes, lease) for modes in PEOPLE for lease in leases]
    names = ["-".join([*modes, "lease" if lease else "no lease"]) for modes, lease in cases]
    return pytest.mark.parametrize("world", cases, indirect=True, ids=names)


@every([True, False])
def test_every_pair_of_deaths(world, record_property):
    exploration = Exploration(world, errors=ALL)
    figures = exploration.explore()
    record_property("figures", dict(figures))
    assert figures["kills, pairs"] > 20 * figures["kills, singles"] > 20 * 50
    assert_one_future(world, exploration.twins)


def assert_one_future(world: Remembering, twins: list[tuple[State, State]]) -> None:
    """States that were taken for equal, though their rows differ, go on in the same way."""
    assert len(twins) >= TRIED
    for pair in twins[:: len(twins) // TRIED]:
        for kind in KINDS:
            outlines = []
            for state in pair:
                world.seen.clear()
                outlines.append(world.live(kind, state).outline)
            assert outlines[0] == outlines[1]


@every([True, False] if ALL else [False])
def test_every_failure_of_the_database(world, record_property):
    figures = Exploration(world, most=1, errors=True).explore()
    record_property("figures", dict(figures))
    assert figures["errors, singles"] == figures["kills, singles"] > 50


def lives_of(world: Remembering) -> Iterator[tuple[Kind, State]]:
    """The scan and the digest of a life without faults, and the states in which they begin."""
    begin = world.remember()
    yield "scan", begin
    yield "digest", begin.after(world.live("scan", begin).end, 0).moved_to(HOUR)


@pytest.mark.parametrize("world", [(ONE_OF_EACH, True)], indirect=True)
def test_a_kill_leaves_what_was_photographed(world):
    for kind, state in lives_of(world):
        for nth, photo in enumerate(world.live(kind, state).crossings):
            world.recall(state)
            world.run(kind, faults=[Fault(ANY, "before", "kill", nth)])
            assert world.remember().identity == state.after(photo, 1).identity, photo.where


@pytest.mark.parametrize("death", DEATHS)
def test_a_death_while_sending_leaves_what_was_photographed(world, death):
    moment = "after" if DEATHS[death] else "before"
    for kind, state in lives_of(world):
        photos = {photo.where: photo for photo in world.live(kind, state).crossings}
        world.recall(state)
        world.run(kind, answers=[death])
        left, photographed = world.remember(), state.after(photos[f"{moment} mail: send"], 1)
        assert (left.key, left.accepted) == (photographed.key, photographed.accepted)


def send_then_claim(user_id: str, post: Any, *, fresh: Any) -> alerts.Sent:
    """What must never be: the mail leaves before the claim is committed."""
    if not post.ready():
        return alerts.Sent()
    with undone():
        seen = ledger.claim(user_id, now=post.clock.now(), fresh=fresh)
    if seen is None or seen.mail is None:
        return alerts.Sent()
    post.send(seen.mail, user_id)
    ledger.claim(user_id, now=post.clock.now(), fresh=fresh)
    return alerts.Sent(mails=ledger.finish(seen.mail.envelope, "sent", now=post.clock.now()))


def test_a_send_before_the_claim_is_seen(world, monkeypatch):
    monkeypatch.setattr(ledger_alerts, "commit", lambda name, durable: commit(name))
    monkeypatch.setattr("deliveries.scan.send_alert", send_then_claim)
    with pytest.raises(Violation, match="assertion 1 ") as seen:
        Exploration(world, most=1).explore()
    assert "scan killed after mail: send" in seen.value.__notes__[0]


def test_an_abandoned_alert_sent_again_is_seen(world, monkeypatch):
    def retry(mail_id: str, status: Any, **options: Any) -> int:
        return ledger.finish(mail_id, "void", **options)

    monkeypatch.setattr(sys.modules["deliveries.ledger.sweep"], "finish", retry)
    with pytest.raises(Violation, match="assertion 1 "):
        Exploration(world, most=1).explore()

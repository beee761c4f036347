"""Erasing one user's part of the ledger, whatever stands in it."""

import pytest

from deliveries import ledger
from tests.deliveries.ledger.tables import DAY, mails, queue, rows
from tests.factories import NOON, person

pytestmark = pytest.mark.django_db


def test_every_row_and_mail_of_the_user_goes_and_no_other():
    ana, bob = person(), person("bob@example.com")
    queue(bob, 80)
    ledger.claim(bob.pk, now=NOON, fresh=DAY)
    others = (rows(), mails())
    queue(ana, 80, 81)
    ledger.claim(ana.pk, now=NOON, fresh=DAY)
    queue(ana, 70, route="daily")
    ledger.freeze(ana.pk, now=NOON)
    [expired, _] = queue(ana, 71, 72)
    ledger.expire([expired], "stale", now=NOON)
    assert [ledger.erase(ana.pk), ledger.erase(ana.pk)] == [5, 0]
    assert (rows(), mails()) == others


def test_whoever_sends_a_mail_of_theirs_finds_nothing_to_mark():
    ana = person()
    queue(ana, 80)
    claimed = ledger.claim(ana.pk, now=NOON, fresh=DAY)
    ledger.erase(ana.pk)
    assert ledger.finish(claimed.mail.envelope, "sent", now=NOON) == 0

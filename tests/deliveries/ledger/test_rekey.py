"""Another key for one user's part of the ledger, and nothing else."""

import pytest

from accounts.identity import uid_of
from accounts.models import User
from deliveries import ledger
from deliveries.models import Delivery, Mail
from tests.deliveries.ledger.tables import DAY, queue
from tests.factories import NOON, person

pytestmark = pytest.mark.django_db
NEW = "ana@new.example"


def ledger_of(user_id):
    """Everything in it but the keys."""
    deliveries = Delivery.objects.filter(user_id=user_id).order_by("job_id").values()
    mails = Mail.objects.filter(user_id=user_id).order_by("pk").values()
    return [
        {name: value for name, value in row.items() if name not in keys}
        for keys, found in (({"id", "user_id"}, deliveries), ({"user_id"}, mails))
        for row in found
    ]


def test_rows_and_mails_in_every_status_keep_all_but_their_key():
    ana, bob = person(), person("bob@example.com")
    queue(bob, 80)
    for end in ("sent", "failed", "unconfirmed"):
        queue(ana, 80)
        envelope = ledger.claim(ana.pk, now=NOON, fresh=DAY).mail.envelope
        ledger.finish(envelope, end, now=NOON)
    waiting = queue(ana, 70, 71)
    ledger.expire(waiting[:1], "stale", now=NOON)
    before, others = ledger_of(ana.pk), ledger_of(bob.pk)
    User.objects.create_user(NEW)
    assert ledger.rekey(ana.pk, uid_of(NEW)) == 5
    assert (ledger_of(uid_of(NEW)), ledger_of(ana.pk), ledger_of(bob.pk)) == (before, [], others)
    for row in Delivery.objects.filter(user_id=uid_of(NEW)):
        assert row.pk == f"{uid_of(NEW)}_{row.job_id}"


def test_nobody_is_nothing():
    assert ledger.rekey("nobody", "anybody") == 0

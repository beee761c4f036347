from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from accounts.models import User
from accounts.profiles import ProfileError, read_profile
from deliveries import ledger
from deliveries.models import Delivery
from deliveries.people import save_profile
from tests.accounts.instruments import tables
from tests.factories import NOON, JobFactory, person, queued

pytestmark = pytest.mark.django_db


def save(email="ana@example.com", **profile):
    return save_profile(email, read_profile(profile), now=NOON)


def routes():
    rows = Delivery.objects.order_by("user__email", "score")
    return list(rows.values_list("user__email", "status", "route", "changed_at"))


def test_queued_rows_follow_a_newly_given_mode_and_no_others_do():
    ana, bob = person(), person("bob@example.com")
    before = {"changed_at": NOON - timedelta(hours=1)}
    queued(ana, JobFactory(), 71, **before)
    ledger.expire([queued(ana, JobFactory(), 72).pk], "stale", now=before["changed_at"])
    queued(bob, JobFactory(), 73, **before)
    save(mode="daily")
    assert routes() == [
        ("ana@example.com", "queued", "daily", NOON),
        ("ana@example.com", "expired", "instant", before["changed_at"]),
        ("bob@example.com", "queued", "instant", before["changed_at"]),
    ]


@pytest.mark.parametrize("profile", [{}, {"mode": "instant"}, {"digest_hour": 9, "min_score": 80}])
def test_without_a_new_mode_the_ledger_is_not_touched(profile):
    queued(person(), JobFactory(), changed_at=NOON - timedelta(hours=1))
    save(**profile)
    assert routes() == [("ana@example.com", "queued", "instant", NOON - timedelta(hours=1))]


@pytest.mark.parametrize(
    ("email", "reason"),
    [
        ("ana", "Enter a valid email address."),
        ("änne@example.com", "Enter a valid email address."),
        ('"ana b"@example.com', "Enter a valid email address."),
        ('"ana"@example.com', "The part before the @ is not valid: '\"ana\"@example.com'."),
        (
            f"{'a' * 65}@example.com",
            f"The part before the @ is not valid: '{'a' * 65}@example.com'.",
        ),
        ("ana@[127.0.0.1]", "The part after the @ is not a domain: 'ana@[127.0.0.1]'."),
        ("ana@faß.de", "The part after the @ is not a domain: 'ana@faß.de'."),
        ("ana@b\u200bb.com", "An address holds no spaces and no invisible characters."),
    ],
)
def test_an_address_no_mail_can_be_sent_to_is_refused_before_anything_is_stored(email, reason):
    with pytest.raises(ValidationError) as caught:
        save(email)
    assert (caught.value.messages, tables()) == ([reason], [[], [], [], []])


def test_a_domain_outside_ascii_is_fine():
    assert save("Ana@BÜCHER.example").user.email == "ana@bücher.example"


def test_a_profile_that_does_not_hold_together_changes_nothing():
    queued(person(), JobFactory())
    before = [*tables(), routes()]
    with pytest.raises(ProfileError, match="go together"):
        save(mode="daily", quiet_from=22)
    assert [*tables(), routes()] == before


def test_a_failure_in_the_ledger_undoes_the_account(monkeypatch):
    monkeypatch.setattr("deliveries.ledger.reroute", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(mode="daily")
    assert (User.objects.count(), connection.needs_rollback) == (0, False)

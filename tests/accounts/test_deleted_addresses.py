"""Addresses that are recognised without being kept."""

from datetime import timedelta

import pytest

from accounts.deleted_addresses import (
    EVERY_ADDRESS,
    address_hash,
    remember,
    remember_every_address,
    seen_until,
)
from accounts.models import DeletedAddress
from tests.factories import NOON

pytestmark = pytest.mark.django_db
ANA = "ana@example.com"
HOUR = timedelta(hours=1)


def test_a_mailbox_is_known_however_it_is_written_and_others_are_not():
    remember(" Ana@Example.com", at=NOON)
    assert [seen_until(who) for who in (ANA, "ANA@example.com ", "bob@example.com")] == [
        NOON,
        NOON,
        None,
    ]
    assert list(DeletedAddress.objects.values_list("pk", flat=True)) == [address_hash(ANA)]


@pytest.mark.parametrize("moments", [(NOON, NOON + HOUR), (NOON + HOUR, NOON)])
def test_the_latest_time_counts(moments):
    for moment in moments:
        remember(ANA, at=moment)
        remember_every_address(at=moment - 2 * HOUR)
    assert seen_until(ANA) == NOON + HOUR
    assert seen_until("bob@example.com") == NOON - HOUR
    assert set(DeletedAddress.objects.values_list("pk", flat=True)) == {
        address_hash(ANA),
        EVERY_ADDRESS,
    }


def test_a_replaced_key_is_tried_as_long_as_it_is_named(settings):
    old = settings.SECRET_KEY
    remember(ANA, at=NOON)
    settings.SECRET_KEY = "another key"
    assert seen_until(ANA) is None
    settings.SECRET_KEY_FALLBACKS = ["a third", old]
    assert seen_until(ANA) == NOON
    remember(ANA, at=NOON + HOUR)
    assert seen_until(ANA) == NOON + HOUR

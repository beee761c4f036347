"""Addresses whose mailbox has seen jobs before: known by a keyed hash, for a time only."""

import hashlib
import hmac
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import Max
from django.utils.encoding import force_bytes

from accounts.boundaries import commit
from accounts.identity import normalise_email
from accounts.models import DeletedAddress

EVERY_ADDRESS: Final = "every address"  # stands in the hash's place

_LATEST: Final = """
INSERT INTO accounts_deletedaddress (address_hash, deleted_at) VALUES (%s, %s)
ON CONFLICT (address_hash) DO UPDATE
SET deleted_at = GREATEST(accounts_deletedaddress.deleted_at, EXCLUDED.deleted_at)
"""


def address_hash(email: str, key: str | bytes | None = None) -> str:
    """A keyed hash of a normalised address: recognises it without keeping it."""
    secret = settings.SECRET_KEY if key is None else key
    address = normalise_email(email).encode()
    return hmac.new(force_bytes(secret), b"deleted " + address, hashlib.sha256).hexdigest()


def remember(email: str, *, at: datetime) -> None:
    """Note that whoever reads this mailbox may have seen every job dated until then."""
    with commit("account: remember an address"), connection.cursor() as cursor:
        cursor.execute(_LATEST, [address_hash(email), at])


def remember_every_address(*, at: datetime) -> None:
    """Note the same of every mailbox: it is not known any more who has seen what."""
    with commit("account: remember every address"), connection.cursor() as cursor:
        cursor.execute(_LATEST, [EVERY_ADDRESS, at])


def seen_until(email: str) -> datetime | None:
    """Until when this mailbox may have seen jobs; None when nothing is known of it.

    Addresses noted under a SECRET_KEY that was replaced since are recognised while that stands in
    SECRET_KEY_FALLBACKS.
    """
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    hashes = [EVERY_ADDRESS, *(address_hash(email, key) for key in keys)]
    rows = DeletedAddress.objects.filter(pk__in=hashes)
    latest: datetime | None = rows.aggregate(latest=Max("deleted_at"))["latest"]
    return latest

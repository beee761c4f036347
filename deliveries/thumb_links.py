"""The links "more like this" and "less like this" in a mail: signed, and naming nobody.

A link holds the mail's id, the job's id, which way the thumb points and the day it was made.  What
it is good for is one thumb; whoever has the mail has it.
"""

import base64
import binascii
import hmac
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

VALID: Final = timedelta(days=180)

_SALT: Final = "deliveries.thumb_links"
_EPOCH: Final = date(2020, 1, 1)
_SIGNATURE, _ENVELOPE = 16, 16  # bytes


@dataclass(frozen=True, slots=True)
class ThumbLink:
    """What a link says: this job of this mail was liked (`up`), or turned down."""

    envelope: str
    job_id: str
    up: bool


def token_for(link: ThumbLink, *, now: datetime) -> str:
    """The link's token, letters, digits, `-` and `_`: equal arguments, equal token.

    Raises ValueError for an envelope that is not 32 hex digits.
    """
    envelope = bytes.fromhex(link.envelope)
    if len(envelope) != _ENVELOPE:
        raise ValueError(f"not an envelope: {link.envelope!r}")
    days = (now.astimezone(UTC).date() - _EPOCH).days
    head = bytes([link.up]) + max(0, days).to_bytes(2, "big")
    value = head + envelope + link.job_id.encode()
    signed = _signature(value, settings.SECRET_KEY) + value
    return base64.urlsafe_b64encode(signed).rstrip(b"=").decode()


def read_token(token: str, *, now: datetime) -> ThumbLink | None:
    """What a token says; None for one that we did not sign, or whose time is over."""
    try:
        signed = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    signature, value = signed[:_SIGNATURE], signed[_SIGNATURE:]
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(hmac.compare_digest(signature, _signature(value, key)) for key in keys):
        return None
    made = _EPOCH + timedelta(days=int.from_bytes(value[1:3], "big"))
    if now.astimezone(UTC).date() > made + VALID:
        return None
    ends = 3 + _ENVELOPE
    return ThumbLink(value[3:ends].hex(), value[ends:].decode(), bool(value[0]))


def _signature(value: bytes, key: str | bytes) -> bytes:
    keyed = salted_hmac(_SALT, value, secret=key, algorithm="sha256")
    return keyed.digest()[:_SIGNATURE]

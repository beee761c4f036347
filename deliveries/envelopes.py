"""The id of a mail: derived from what it carries, so that the same mail has the same id."""

import hashlib
import hmac
from collections.abc import Iterable
from datetime import UTC, date, datetime


def _keyed(key: str, *parts: str) -> str:
    text = "\n".join(parts).encode()
    return hmac.new(key.encode(), text, hashlib.sha256).hexdigest()[:32]


def alert_envelope(delivery_ids: Iterable[str], attempt: int, *, key: str) -> str:
    """32 hex digits of a keyed hash: the rows an alert carries, and which try this is."""
    return _keyed(key, "alert", str(attempt), *sorted(delivery_ids))


def sample_envelope(user_id: str, press: str, *, joined_at: datetime, key: str) -> str:
    """32 hex digits of a keyed hash: who pressed the button, and which press it was."""
    return _keyed(key, "sample", press, user_id, joined_at.astimezone(UTC).isoformat())


def weekly_envelope(
    user_id: str, week: date, attempt: int, *, joined_at: datetime, key: str
) -> str:
    """32 hex digits of a keyed hash: whose note, of which week, and which try this is."""
    joined = joined_at.astimezone(UTC).isoformat()
    return _keyed(key, "weekly", week.isoformat(), str(attempt), user_id, joined)


def digest_envelope(user_id: str, day: date, *, joined_at: datetime, key: str) -> str:
    """32 hex digits of a keyed hash: whose digest, and of which local date.

    `joined_at` (aware) parts two accounts that one address had on one date.
    """
    return _keyed(key, "digest", day.isoformat(), user_id, joined_at.astimezone(UTC).isoformat())

"""Who may send: tokens of which only hashes are kept, revocable, each with a limit of its own."""

import hashlib
import hmac
import re
import secrets
from typing import Final

from django.db import connection
from django.db.models.functions import Now

from accounts.boundaries import commit
from jobs.models import InboxSender

MOST_A_MINUTE: Final = 60
LONGEST_NAME: Final = 60
_TOKEN: Final = re.compile(r"(\d{1,12})\.([A-Za-z0-9_-]{43})", re.ASCII)
_NOBODYS: Final = hashlib.sha256(secrets.token_bytes()).hexdigest()

_SAME_MINUTE: Final = (
    "counted_from > clock_timestamp() - interval '1 minute' AND counted_from <= clock_timestamp()"
)
# One statement, so that requests at once are counted one after the other.
_COUNT: Final = f"""
UPDATE jobs_inboxsender SET
    counted = CASE WHEN {_SAME_MINUTE} THEN counted + 1 ELSE 1 END,
    counted_from = CASE WHEN {_SAME_MINUTE} THEN counted_from ELSE clock_timestamp() END
WHERE id = %(id)s AND (({_SAME_MINUTE}) IS NOT TRUE OR counted < %(most)s)
RETURNING id
"""  # noqa: S608 -- our own constants


class SenderNameError(ValueError):
    """No sender can be called so; the message says what to write instead."""


def make(name: str) -> str:
    """A token for a sender of this name, new or known; a former one opens nothing any more.

    It is told this once: only its hash is kept.  Raises SenderNameError.
    """
    name = checked_name(name)
    secret = secrets.token_urlsafe(32)
    with commit("inbox: make a sender"):
        sender, _ = InboxSender.objects.update_or_create(
            name=name, defaults={"token_hash": _hash(secret), "revoked_at": None, "state": "off"}
        )
    return f"{sender.pk}.{secret}"


def revoke(name: str) -> bool:
    """Let a sender's token open nothing from now on; whether there was one that did."""
    with commit("inbox: revoke"):
        live = InboxSender.objects.filter(name=name, revoked_at=None)
        return bool(live.update(revoked_at=Now()))


def who_sends(token: str) -> InboxSender | None:
    """The sender whose token this is, or None; takes as long for a wrong one as for a right one."""
    found = _TOKEN.fullmatch(token)
    sender_id, secret = (found[1], found[2]) if found else ("0", "")
    sender = InboxSender.objects.filter(pk=int(sender_id)).first()
    is_right = hmac.compare_digest(_hash(secret), sender.token_hash if sender else _NOBODYS)
    return sender if sender and is_right and sender.revoked_at is None else None


def may_send_now(sender: InboxSender) -> bool:
    """Count one more request of a sender; False when it has sent as many as a minute allows."""
    with commit("inbox: count"), connection.cursor() as cursor:
        cursor.execute(_COUNT, {"id": sender.pk, "most": MOST_A_MINUTE})
        return cursor.fetchone() is not None


def checked_name(name: str) -> str:
    """A sender's name without blanks around it.  Raises SenderNameError."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise SenderNameError(
            f"{name[:80]!r} is no name of a sender: write 1 to {LONGEST_NAME} visible characters."
        )
    return name


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()

"""Marks of whom something is about: keyed, so that a mark finds its rows and names nobody."""

from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

_SALT: Final = "accounts.owners"


def owner_mark(user_id: str, key: str | bytes | None = None) -> str:
    """The mark of a user's key, or of what an address will have as its key: 64 hex digits."""
    secret = settings.SECRET_KEY if key is None else key
    return salted_hmac(_SALT, user_id, secret=secret, algorithm="sha256").hexdigest()


def owner_marks(user_id: str) -> list[str]:
    """The same under every secret key that still counts: what a row may have been marked with."""
    return [
        owner_mark(user_id, key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]

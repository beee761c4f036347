"""Hiding what identifies people, and what opens doors, in anything on its way into a log."""

import base64
import binascii
import os
import re
from typing import Any, Final

from django.conf import settings

HIDDEN: Final = "…"
_ADDRESS: Final = re.compile(r"[^\s<>\"'(),;:=\[\]{}]+(?:@|%40)[^\s<>\"'(),;:=\[\]{}]+")
_TOKEN: Final = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{43,}(?![\w-])")  # 256 bits, as in our links
_QUERY: Final = re.compile(r"(?<=[?&]secret=)[^&\s]+")
_WORD: Final = re.compile(r"[A-Za-z0-9_-]{7,}")  # what may be a uid: base64url of an address
_SECRETS: Final = (
    *("SECRET_KEY", "CRON_SECRET", "EMAIL_HOST_PASSWORD", "HEARTBEAT_URL"),
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY"),
)
_SHORTEST: Final = 6


def scrub(value: Any) -> Any:
    """The same value with personal data and secrets hidden in every string, however nested."""
    if isinstance(value, str):
        return scrub_text(value)
    if isinstance(value, dict):
        return {scrub(key): scrub(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [scrub(item) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return scrub_text(str(value))


def scrub_text(text: str) -> str:
    """Hide secrets of the settings, addresses, uids and link tokens in a text."""
    for secret in _secrets():
        text = text.replace(secret, HIDDEN)
    text = _ADDRESS.sub(HIDDEN, _QUERY.sub(HIDDEN, text))
    return _TOKEN.sub(HIDDEN, _WORD.sub(_without_uid, text))


def _secrets() -> list[str]:
    values = [str(getattr(settings, name, "")) for name in _SECRETS]
    values.append(str(settings.DATABASES["default"].get("PASSWORD", "")))
    values += map(str, getattr(settings, "SECRET_KEY_FALLBACKS", ()))
    values += [spec.partition(":")[2] for spec in settings.SCOUT_SOURCES if "://" in spec]
    values += [os.environ[name] for name in os.environ if name.startswith("ANYMAIL_")]
    return [value for value in values if len(value) >= _SHORTEST]


def _without_uid(found: re.Match[str]) -> str:
    """Hide a uid, alone or at the beginning of an id such as `{uid}_upwork:…`."""
    word = found[0]
    ends = [len(word), *(place for place, letter in enumerate(word) if letter == "_")]
    for end in sorted(ends, reverse=True):
        if _is_uid(word[:end]):
            return HIDDEN + word[end:]
    return word


def _is_uid(word: str) -> bool:
    try:
        text = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode()
    except (binascii.Error, ValueError):
        return False
    return "@" in text and text.isprintable()

"""Django mail backend for development: every mail becomes a file one can open.

One `.eml` a mail in settings.OUTBOX_DIR (or var/outbox under BASE_DIR), named
`<UTC time>-<envelope or Message-ID>-<n>.eml`, so that names sort by time.
"""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")
MAX_KEY: Final = 80


class EmailBackend(BaseEmailBackend):
    """Writes mails into a folder, each one whole or not at all."""

    def __init__(self, fail_silently: bool = False, **_: Any) -> None:
        """Write nothing yet; Django's settings for servers are of no use here."""
        super().__init__(fail_silently=fail_silently)
        default = Path(settings.BASE_DIR) / "var" / "outbox"
        self.folder = Path(getattr(settings, "OUTBOX_DIR", default))

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write each mail to a file of its own; returns how many.  Raises OSError."""
        written = 0
        for email in email_messages:
            if not email.recipients():
                continue
            try:
                self._write(email)
            except OSError:
                if not self.fail_silently:
                    raise
            else:
                written += 1
        return written

    def _write(self, email: EmailMessage) -> Path:
        message = email.message()
        stored = getattr(email, "stored", None)
        key = stored.envelope if stored else str(message["Message-ID"] or "")
        self.folder.mkdir(parents=True, exist_ok=True)
        return write_new(self.folder, _UNSAFE.sub("_", key).strip("_"), message.as_bytes())


def write_new(folder: Path, key: str, content: bytes) -> Path:
    """Write a file that was not there before and return its path; readers of `*.eml` only ever
    see it whole.  The hidden file's name is taken exclusively, and with it the final name."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    for number in count(1):
        final = folder / f"{moment}-{key[:MAX_KEY] or 'mail'}-{number}.eml"
        part = folder / f".{final.name}.part"
        try:
            handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(handle, "wb") as file:
            if not final.exists():
                file.write(content)
                file.close()
                part.rename(final)
                return final
        part.unlink()
    raise AssertionError("unreachable")

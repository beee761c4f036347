"""A mail's bytes as staff may see them: sandboxed, and without the link that stops mail."""

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Final, Self

from django.http import HttpResponse
from django.urls import reverse
from django.utils.html import escape

_HIDDEN: Final = "(not-shown)"
SANDBOX: Final = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';"
    " style-src 'unsafe-inline'; frame-ancestors 'self'"
)


@dataclass(frozen=True, slots=True)
class ShownMail:
    """The parts of a mail as text, ready to be escaped; `html` is for a sandboxed frame only."""

    subject: str
    text: str
    html: str
    headers: str

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Read a mail's bytes; the tokens in its links are left out."""
        message = message_from_bytes(raw, EmailMessage, policy=policy.default)
        headers = (f"{name}: {_unfolded(value)}" for name, value in message.raw_items())
        return cls(
            subject=str(message["Subject"] or ""),
            text=_masked(_content(message, "plain")),
            html=_masked(_content(message, "html")),
            headers=_masked("\n".join(headers)),
        )


def framed(html: str, status: int = 200) -> HttpResponse:
    """HTML that somebody else wrote, for a frame: no scripts, no forms, nothing from elsewhere."""
    response = HttpResponse(html, status=status)
    response["Content-Security-Policy"] = SANDBOX
    response["X-Frame-Options"] = "SAMEORIGIN"
    response["Referrer-Policy"] = "no-referrer"
    return response


def nothing_to_show(sentence: str) -> HttpResponse:
    """A page of one sentence, for the frame of a mail that is no longer kept."""
    return framed(f"<!DOCTYPE html><title>Not kept</title><p>{escape(sentence)}</p>", status=404)


def _content(message: EmailMessage, kind: Any) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""


def _unfolded(value: object) -> str:
    return re.sub(r"\s*\r?\n\s+", " ", str(value))


def _masked(text: str) -> str:
    for link in ("unsubscribe", "thumb-link"):
        before, after = reverse(link, args=[_HIDDEN]).split(_HIDDEN)
        token = f"({re.escape(before)})[A-Za-z0-9_-]+(?={re.escape(after)})"
        text = re.sub(token, rf"\1{_HIDDEN}", text)
    return text

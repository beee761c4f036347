"""Reading the development outbox in a browser."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

_SHOWN = 200


@require_safe
def folder(request: HttpRequest) -> HttpResponse:
    """The newest mails, newest first."""
    files = sorted(Path(settings.OUTBOX_DIR).glob("*.eml"), reverse=True)
    mails = [_heading(path) for path in files[:_SHOWN]]
    return render(request, "deliveries/outbox.html", {"mails": mails, "count": len(files)})


@require_safe
def mail(request: HttpRequest, name: str) -> HttpResponse:
    """One mail: its headers, and its body in a sandboxed frame."""
    path = _path(name)
    text = _read(path).get_body(("plain",))
    context = {**_heading(path), "text": text.get_content() if text else ""}
    return render(request, "deliveries/outbox_mail.html", context)


@require_safe
@xframe_options_sameorigin
def body(request: HttpRequest, name: str) -> HttpResponse:
    """A mail's HTML part, for the frame: no scripts, no forms, nothing from elsewhere."""
    html = _read(_path(name)).get_body(("html",))
    response = HttpResponse(html.get_content() if html else "")
    response["Content-Security-Policy"] = (
        "sandbox allow-popups allow-popups-to-escape-sandbox;"
        " default-src 'none'; style-src 'unsafe-inline'"
    )
    return response


def _path(name: str) -> Path:
    path = Path(settings.OUTBOX_DIR) / f"{name}.eml"
    if "/" in name or "\\" in name or name.startswith(".") or not path.is_file():
        raise Http404
    return path


def _read(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), EmailMessage, policy=policy.default)


def _heading(path: Path) -> dict[str, Any]:
    message = _read(path)
    return {
        "name": path.stem,
        "subject": str(message["Subject"]),
        "to": str(message["To"]),
        "date": str(message["Date"]),
    }

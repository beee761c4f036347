"""`POST /inbox/jobs`: others hand over jobs, which wait for the next scan."""

import logging
from typing import Final

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt

from jobs.inbox import receiving, senders
from jobs.inbox.reading import NoJsonError, TooManyError, read
from jobs.models import InboxSender

log = logging.getLogger(__name__)

LONGEST_BODY: Final = 1024 * 1024
_MINUTE: Final = 60
_TICK: Final = 900


@csrf_exempt  # a token opens it, no cookie
@cache_control(no_store=True)
def jobs(request: HttpRequest) -> HttpResponse:
    """Store one JSON object or a list for the next scan.

    202 with how many jobs are good and how many rejected; 404 without the source `inbox`, 405 for
    anything but POST, 401 without a live token, 413 above 1 MiB or 2,000 jobs, 429 when a sender
    sends too often or too much of it waits, 400 for what is no JSON, 411 in chunks behind a server
    that does not tell their end, 503 without a database.
    """
    if "inbox" not in settings.SCOUT_SOURCES:
        return _refused(404, "there is no inbox here: SCOUT_SOURCES does not name it")
    if request.method != "POST":
        return _refused(405, "send jobs with POST", {"Allow": "POST"})
    try:
        sender = senders.who_sends(_token(request))
        if sender is None:
            hint = "send the token as Authorization: Bearer TOKEN"
            return _refused(401, hint, {"WWW-Authenticate": "Bearer"})
        return _take(request, sender)
    except (OperationalError, InterfaceError):
        return _refused(503, "the database does not answer: send it again", _later(_MINUTE))


def _take(request: HttpRequest, sender: InboxSender) -> HttpResponse:
    if _length(request) > LONGEST_BODY:
        return _too_large()
    if not senders.may_send_now(sender):
        limit = f"more than {senders.MOST_A_MINUTE} requests in a minute: send lists of jobs"
        return _refused(429, limit, _later(_MINUTE))
    if receiving.is_full(sender):
        return _refused(429, "too much waits to be read: send it later", _later(_TICK))
    try:
        body = _body(request)
    except Exception as error:  # noqa: BLE001 -- each server has errors of its own for a torn body
        log.info("a body of the inbox broke off: %s", type(error).__name__)
        return _refused(400, "the body broke off: send it again")
    if body is None:
        return _refused(411, "send the jobs with a Content-Length")
    if len(body) > LONGEST_BODY:
        return _too_large()
    return _keep(sender, body)


def _keep(sender: InboxSender, body: bytes) -> HttpResponse:
    try:
        reading = read(body, at=timezone.now())
    except NoJsonError as error:
        return _refused(400, str(error))
    except TooManyError as error:
        return _refused(413, str(error))
    receiving.receive(sender, body, reading)
    return JsonResponse(
        {"good": len(reading.postings), "rejected": len(reading.rejected)}, status=202
    )


def _token(request: HttpRequest) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _body(request: HttpRequest) -> bytes | None:
    """The body, as far as one byte above the limit; None where its end cannot be known.

    Django takes a body sent in chunks for an empty one.
    """
    if "HTTP_TRANSFER_ENCODING" not in request.META:
        return request.body
    if not request.META.get("wsgi.input_terminated"):
        return None
    body: bytes = request.META["wsgi.input"].read(LONGEST_BODY + 1)
    return body


def _too_large() -> HttpResponse:
    return _refused(413, f"more than {LONGEST_BODY:,} bytes: send the jobs in parts")


def _length(request: HttpRequest) -> int:
    stated = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(stated) if stated.isdecimal() and len(stated) < 19 else LONGEST_BODY + 1


def _later(seconds: int) -> dict[str, str]:
    return {"Retry-After": str(seconds)}


def _refused(status: int, error: str, headers: dict[str, str] | None = None) -> HttpResponse:
    return JsonResponse({"error": error}, status=status, headers=headers)

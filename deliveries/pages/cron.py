"""The cron endpoint: anything that can GET an address can keep the product going."""

import hmac
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt

from deliveries.running import last_runs, liveness, wanted
from deliveries.scan import LEASE
from deliveries.work import lease


@csrf_exempt  # so that a POST is told 405, not 403
@cache_control(no_store=True)
def run(request: HttpRequest, kind: wanted.Kind) -> HttpResponse:
    """GET asks for one run and says how the last one went.

    404 without a CRON_SECRET, 405 for anything but GET, 403 without the secret.  200 when it
    understood; 503, having asked all the same, when work is not being done.
    """
    if not settings.CRON_SECRET:
        return HttpResponse(status=404)
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    if not _is_authorised(request):
        return HttpResponse(status=403)
    try:
        answer = _ask(kind)
        reason = liveness.trouble(last_runs.signs())
    except (OperationalError, InterfaceError):
        answer, reason = {"enqueued": False}, "the database does not answer"
    if reason is not None:
        return JsonResponse(answer | {"reason": reason}, status=503)
    return JsonResponse(answer)


def _ask(kind: wanted.Kind) -> dict[str, Any]:
    if kind == "scan" and lease.is_held(LEASE, settings.SCOUT_LEASE_SECONDS):
        return {"skipped": "previous run in flight"}
    asked = wanted.ask(kind)
    if asked == "begun":
        return {"skipped": "previous run in flight"}
    if asked == "waiting":
        return {"enqueued": False, "reason": "already waiting"}
    return {"enqueued": True, "last": last_runs.as_json(last_runs.last_finished(kind))}


def _is_authorised(request: HttpRequest) -> bool:
    """Compare in constant time, in bytes: a header arrives as latin-1, whatever it was."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    given = [token.strip().encode("latin-1", "replace")] if scheme.lower() == "bearer" else []
    if settings.SCOUT_CRON_SECRET_IN_QUERY:
        given.append(request.GET.get("secret", "").encode("utf-8", "replace"))
    secret = settings.CRON_SECRET.encode()
    return any(hmac.compare_digest(one, secret) for one in given)

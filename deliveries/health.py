"""Is the process up, and is work being done: for probes, load balancers and supervisors."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from deliveries.models import Run
from deliveries.running import last_runs, liveness
from jobs.ai import budget
from jobs.models import SourceState
from jobs.sources import SourceError, configured


def probes(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Answer the two health addresses before anything else looks at the request.

    So they work under any host name or number a probe may use, over http too, without a session
    and, for the process, without a database.
    """
    pages = {"/healthz": process, "/healthz/scans": scans}

    def middleware(request: HttpRequest) -> HttpResponse:
        page = pages.get(request.path_info)
        if page is None:
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = page(request)
        response["Cache-Control"] = "no-store"
        return response

    return middleware


def process(request: HttpRequest) -> HttpResponse:
    """200: this process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


def scans(request: HttpRequest) -> HttpResponse:
    """200 while work is being done, else 503 with the reason; both say how things stand.

    A source or mail provider that is down does not make it 503: work is done all the same, and
    restarting the worker, which a supervisor may do on 503, would not help.
    """
    try:
        signs = last_runs.signs()
        reason = liveness.trouble(signs)
        answer = {"ok": reason is None, "reason": reason, **_standing(signs)}
    except (OperationalError, InterfaceError):
        answer = {"ok": False, "reason": "the database does not answer"}
    return JsonResponse(answer, status=200 if answer["ok"] else 503)


def _standing(signs: liveness.Signs) -> dict[str, Any]:
    def age(moment: Any) -> int | None:
        return None if moment is None else int((signs.now - moment).total_seconds())

    return {
        "last_scan_finished_at": last_runs.moment(signs.last_scan),
        "last_scan_age_seconds": age(signs.last_scan),
        "oldest_waiting_seconds": age(signs.oldest_waiting),
        "mail": _mail(),
        "ai": _ai(signs),
        "sources": _sources(),
    }


def _mail() -> str | None:
    """What the last finished run found: ok or down."""
    run = Run.objects.filter(finished_at__isnull=False).order_by("-finished_at").first()
    return run.summary.get("mail") if run else None


def _ai(signs: liveness.Signs) -> dict[str, Any] | None:
    """The model's share of the last scan, and the day's money; None with local scores only."""
    if settings.SCOUT_SCORER == "local":
        return None
    run = last_runs.last_finished("scan")
    told = run.summary if run else {}
    spent, reserved = budget.of_day(signs.now)
    return {
        "scorer": settings.SCOUT_SCORER.partition("@")[0],
        "calls": told.get("ai_calls"),
        "usd": told.get("ai_usd"),
        "reason": told.get("ai_reason"),
        "usd_today": float(spent + reserved),
        "usd_a_day": float(settings.SCOUT_AI_DAILY_USD),
    }


def _sources() -> dict[str, Any]:
    """Each configured source's last state; a source not looked at yet is absent."""
    try:
        names = [source.name for source in configured(settings.SCOUT_SOURCES)]
    except SourceError:
        names = []
    return {
        row.name: {
            "state": row.state,
            "needs_operator": row.needs_operator,
            "failures": row.failures,
            "checked_at": last_runs.moment(row.checked_at),
            "succeeded_at": last_runs.moment(row.succeeded_at),
            "new_job_at": last_runs.moment(row.new_job_at),
            "next_look_at": last_runs.moment(row.next_look_at),
        }
        for row in SourceState.objects.filter(pk__in=names).order_by("pk")
    }

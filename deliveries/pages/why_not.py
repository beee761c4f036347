"""Why did this job come, or not: the whole way of one job to the user who asks."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.viewer import viewer
from deliveries.messages.job_card import local_time
from deliveries.pages import never
from deliveries.pages.back import place_of
from deliveries.pages.signed_in import signed_in
from deliveries.standing import last_look
from deliveries.why.finding import find, understood
from deliveries.why.told import told
from deliveries.work.clock import Clock
from jobs.postings.identifiers import job_url

_LONGEST: Final = 2000
_SHOWN: Final = 200


@signed_in
@never_cache
@require_safe
def why_not(request: HttpRequest) -> HttpResponse:
    """A box for a job's address; with `?job=`, every step of that job's way to the user."""
    asked = " ".join(request.GET.get("job", "").replace("\0", "").split())[:_LONGEST]
    context: dict[str, Any] = {
        "here": "why",
        "asked": asked,
        "back": place_of(request),
        "never_told": never.told(request),
    }
    if asked:
        context |= _answer(str(request.user.pk), asked)
    return render(request, "deliveries/why_not.html", context)


def _answer(user_id: str, asked: str) -> dict[str, Any]:
    now, who, job = Clock().now(), viewer(user_id), find(asked)
    if job is not None:
        return {"told": told(who, job, now=now)}
    shown = asked if len(asked) <= _SHOWN else f"{asked[:_SHOWN]}…"
    meant = understood(asked)
    if meant is None:
        return {"not_understood": shown}
    looked = last_look(now=now)
    return {
        "never_seen": shown,
        "url": job_url(meant),
        "looked_at": local_time(looked, who.terms.timezone) if looked else "",
    }

"""What a signed-in user was mailed, what waits, and what was only just kept out."""

from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.viewer import Viewer, viewer
from deliveries.messages.job_card import local_time
from deliveries.models import Delivery
from deliveries.near_misses import near_misses
from deliveries.pages.back import is_part, place_of
from deliveries.pages.days import chart_for
from deliveries.pages.job_items import of_misses, of_rows
from deliveries.pages.keyset import Cursor, rows_after
from deliveries.pages.never import told
from deliveries.pages.signed_in import signed_in
from deliveries.standing import Standing, standing
from deliveries.work.clock import Clock

_WAITING: Final = 8
_SENT: Final = 12
_NEAR: Final = 5
_ALL_NEAR: Final = 20


@signed_in
@never_cache
@require_safe
def my_jobs(request: HttpRequest) -> HttpResponse:
    """Waiting jobs, the best first, then mailed ones, the newest first; `after` goes on in one."""
    user_id, now = str(request.user.pk), Clock().now()
    stands = standing(user_id, now=now)
    cursor = Cursor.read(request.GET.get("after", ""))
    context: dict[str, Any] = {
        **_lists(stands, cursor),
        "here": "my-jobs",
        "back": place_of(request),
        "never_told": told(request),
        "notices": stands.notices,
        "further": cursor is not None,
        "zone": stands.viewer.terms.timezone,
    }
    if cursor is None:
        zone = stands.viewer.terms.timezone
        context["chart"] = chart_for(user_id, zone, now=now)
        context["looked_at"] = local_time(stands.looked_at, zone) if stands.looked_at else ""
    return render(request, "deliveries/my_jobs.html", context)


@signed_in
@never_cache
@require_safe
def near(request: HttpRequest) -> HttpResponse:
    """The nearest misses: a page, or for a script the part of My jobs with the first of them."""
    user_id, now = str(request.user.pk), Clock().now()
    if is_part(request):
        part = _near(request, viewer(user_id), now, most=_NEAR)
        return render(request, "deliveries/near.html", part)
    stands = standing(user_id, now=now)
    context = _near(request, stands.viewer, now, most=_ALL_NEAR)
    context |= {"here": "my-jobs", "never_told": told(request), "notices": stands.notices}
    context["zone"] = stands.viewer.terms.timezone
    return render(request, "deliveries/near_page.html", context)


def _near(request: HttpRequest, who: Viewer, now: datetime, *, most: int) -> dict[str, Any]:
    near = of_misses(who, near_misses(who, now=now, most=most))
    looks = any(search.looks for search in who.searches)
    return {"back": place_of(request), "near": near, "looks": looks, "more": len(near) == _NEAR}


def _lists(stands: Standing, cursor: Cursor | None) -> dict[str, Any]:
    """The rows of both lists, or the next ones of that which the cursor is of."""
    rows = Delivery.objects.filter(user_id=stands.viewer.user_id).select_related("job")
    waiting: list[Delivery] = []
    sent: list[Delivery] = []
    more_waiting = more_sent = None
    if cursor is None or cursor.section == "waiting":
        open_rows = rows.filter(status__in=["queued", "sealed"])
        waiting, more_waiting = rows_after(open_rows, "waiting", cursor, _WAITING)
    if cursor is None or cursor.section == "sent":
        gone = rows.filter(status__in=["sent", "unconfirmed", "failed"])
        sent, more_sent = rows_after(gone, "sent", cursor, _SENT)
    items = of_rows(stands.viewer, [*waiting, *sent])
    return {
        "waiting": items[: len(waiting)],
        "sent": items[len(waiting) :],
        "more_waiting": more_waiting and more_waiting.write(),
        "more_sent": more_sent and more_sent.write(),
    }

"""What a signed-in user was mailed, and what waits."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Preferences, Search
from deliveries import compose
from deliveries.messages.job_card import client_line, local_time, pay_line, work_line
from deliveries.messages.job_summary import TEXT_GONE
from deliveries.models import Delivery
from jobs import tasting
from jobs.models import Verdict

_WAITING: Final = 100
_A_PAGE: Final = 50
_STATUS: Final = {
    "queued": "waits",
    "sealed": "on its way",
    "sent": "mailed",
    "unconfirmed": "perhaps mailed: the sending was cut off",
    "failed": "could not be mailed",
}


@login_required
@never_cache
@require_safe
def my_jobs(request: HttpRequest) -> HttpResponse:
    """Waiting jobs, the best first, then mailed ones, the newest first."""
    user_id = str(request.user.pk)
    rows = Delivery.objects.filter(user_id=user_id).select_related("job")
    waiting = rows.filter(status__in=["queued", "sealed"]).order_by("-score", "id")[:_WAITING]
    gone = rows.filter(status__in=["sent", "unconfirmed", "failed"]).order_by("-changed_at", "id")
    page = Paginator(gone, _A_PAGE).get_page(request.GET.get("page"))
    shown = _shown(user_id, [*waiting, *page])
    context = {
        "here": "my-jobs",
        "waiting": shown[: len(waiting)],
        "gone": shown[len(waiting) :],
        "page": page,
    }
    return render(request, "deliveries/my_jobs.html", context)


def _shown(user_id: str, rows: list[Delivery]) -> list[dict[str, Any]]:
    verdicts = Verdict.objects.in_bulk([row.pk for row in rows])
    thumbs = tasting.thumbs_on(user_id, [row.job_id for row in rows])
    several = Search.objects.filter(user_id=user_id, active=True).count() > 1
    preferences = Preferences.objects.filter(pk=user_id).first()
    zone = preferences.timezone if preferences else "UTC"
    return [
        _item(row, verdicts.get(row.pk), several, zone) | {"thumb": thumbs.get(row.job_id)}
        for row in rows
    ]


def _item(row: Delivery, verdict: Verdict | None, several: bool, zone: str) -> dict[str, Any]:
    card = compose.card(row, verdict, several)
    facts = [pay_line(card), work_line(card), client_line(card)]
    return {
        "card": card,
        "facts": " · ".join(filter(None, facts)),
        "note": TEXT_GONE if card.text_gone else "",
        "status": _STATUS[row.status],
        "when": local_time(row.sent_at or row.queued_at, zone),
        "route": row.route,
    }

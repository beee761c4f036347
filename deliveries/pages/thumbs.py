"""Thumbs: by the link in a mail, without signing in, and on the page of one's jobs."""

from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from deliveries.models import Delivery, Mail
from deliveries.pages.back import back, is_part
from deliveries.pages.signed_in import signed_in
from deliveries.thumb_links import ThumbLink, read_token
from deliveries.work.clock import Clock
from jobs import tasting

_DEEDS: Final = {"up": True, "down": False, "undo": None}
_GIVEN: Final = {None: "none", True: "up", False: "down"}


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows the job; POST gives the thumb that the link stands for, or with `?undo` takes it
    back.

    It needs no cookie, and works again and again.  Mail scanners follow links: GET never acts.
    """
    link = read_token(token, now=Clock().now())
    row = _row(link) if link else None
    context: dict[str, Any] = {"standing": "gone" if link else "unknown", "up": link and link.up}
    if link and row:
        context = _acted(request, link, row)
    response = render(request, "deliveries/thumb.html", context)
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def _row(link: ThumbLink) -> Delivery | None:
    """The ledger's row of the job for whom the mail went to; None when that account is gone."""
    mail = Mail.objects.filter(pk=link.envelope).first()
    if mail is None:
        return None
    return Delivery.objects.filter(user_id=mail.user_id, job_id=link.job_id).first()


def _acted(request: HttpRequest, link: ThumbLink, row: Delivery) -> dict[str, Any]:
    given = _given(row)
    if request.method == "POST" and ("undo" not in request.GET or given == link.up):
        _act(row, None if "undo" in request.GET else link.up)
        given = _given(row)
    return {"standing": _GIVEN[given], "up": link.up, "title": row.title, "same": given == link.up}


def _given(row: Delivery) -> bool | None:
    return tasting.thumbs_on(row.user_id, [row.job_id]).get(row.job_id)


def _act(row: Delivery, up: bool | None) -> None:
    """Give a thumb, or take it back when `up` is None."""
    now = Clock().now()
    if up is None:
        tasting.take_back(row.user_id, row.job_id, now=now)
    else:
        tasting.give(row.user_id, row.job_id, up=up, title=row.title, now=now)


@signed_in
@require_POST
def on_my_job(request: HttpRequest) -> HttpResponse:
    """Give one of one's own jobs, whose id is posted as `up` or `down`, a thumb; `undo` takes it
    back.

    A script gets the buttons as they are then.
    """
    do = next((each for each in _DEEDS if each in request.POST), "undo")
    rows = Delivery.objects.filter(user_id=str(request.user.pk))
    row = get_object_or_404(rows, job_id=request.POST.get(do, "").replace("\0", ""))
    _act(row, _DEEDS[do])
    if not is_part(request):
        return back(request, f"job-{row.job_id}")
    item = {"job_id": row.job_id, "thumb": _DEEDS[do]}
    return render(request, "deliveries/thumbs.html", {"item": item})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_taste(request: HttpRequest) -> HttpResponse:
    """GET shows which words one's thumbs move, and how far; POST forgets all thumbs."""
    user_id = str(request.user.pk)
    if request.method == "POST":
        tasting.reset(user_id)
        return redirect("my-taste")
    found = tasting.tastes_of([user_id]).get(user_id)
    terms = sorted(found.terms.items(), key=lambda term: (-abs(term[1]), term[0])) if found else []
    context = {
        "here": "my-jobs",
        "liked": [term for term in terms if term[1] > 0],
        "disliked": [term for term in terms if term[1] < 0],
        "examples": tasting.examples_of(user_id),
    }
    return render(request, "deliveries/my_taste.html", context)

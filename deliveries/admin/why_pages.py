"""Why a job did or did not reach somebody: every step from fetch to inbox."""

from typing import Any

from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse

from accounts.models import User
from deliveries.why import Step, UnknownPairError, explain
from deliveries.work.clock import Clock


def form(admin: Any, request: HttpRequest) -> TemplateResponse:
    """Ask for an address and a job; POST, so that addresses stay out of logs of requests."""
    email, job = (request.POST.get(name, "").strip() for name in ("email", "job"))
    steps: list[Step] = []
    error = ""
    _check(admin, request)
    if request.method == "POST":
        try:
            steps = explain(email, job, now=Clock().now())
        except UnknownPairError as unknown:
            error = str(unknown)
    return _page(admin, request, steps, email=email, job=job, error=error)


def pair(admin: Any, request: HttpRequest, key: str) -> TemplateResponse:
    """The steps for the pair with this id, whether it has a ledger row or not."""
    _check(admin, request)
    uid, _, job = unquote(key).rpartition("_")
    user = User.objects.filter(pk=uid).first()
    if user is None:
        raise Http404
    try:
        steps = explain(user.email, job, now=Clock().now())
    except UnknownPairError as unknown:
        raise Http404 from unknown
    return _page(admin, request, steps, email=user.email, job=job)


def _check(admin: Any, request: HttpRequest) -> None:
    if not admin.has_view_permission(request):
        raise PermissionDenied


def _page(admin: Any, request: HttpRequest, steps: list[Step], **words: str) -> TemplateResponse:
    context = {
        **admin.admin_site.each_context(request),
        **words,
        "title": "Why?",
        "opts": admin.opts,
        "steps": steps,
    }
    return TemplateResponse(request, "admin/deliveries/why.html", context)

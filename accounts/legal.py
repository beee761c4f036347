"""What is kept of a person, and on which terms the product is used."""

from email.utils import parseaddr

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, why, for how long, and who else gets to see it."""
    return _page(request, "accounts/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """What the product does and does not promise to whoever uses it."""
    return _page(request, "accounts/terms.html")


def _page(request: HttpRequest, template: str) -> HttpResponse:
    context = {
        "contact": parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
        "retention_days": settings.SCOUT_RETENTION_DAYS,
        "model": settings.SCOUT_SCORER if settings.SCOUT_SCORER != "local" else "",
    }
    return render(request, template, context)

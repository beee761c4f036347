"""A signed-in user's account: where they are signed in, and everything that is known of them."""

from typing import Final

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import sessions
from accounts.models import Preferences, Suppression
from deliveries.personal.export import GoneError, export
from deliveries.work.clock import Clock

_SHOWN: Final = 10


@login_required
@never_cache
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """The address, the browsers signed in, and what can be done with the account."""
    user_id = str(request.user.pk)
    browsers = sessions.signed_in(user_id, asking=request.session.session_key)
    zone = Preferences.objects.filter(pk=user_id).values_list("timezone", flat=True).first()
    context = {
        "here": "account",
        "zone": zone or "UTC",
        "browsers": browsers[:_SHOWN],
        "more": len(browsers[_SHOWN:]),
        "stopped": Suppression.objects.filter(pk=user_id).exists(),
    }
    return render(request, "deliveries/account.html", context)


@login_required
@never_cache
@require_POST
def sign_out_elsewhere(request: HttpRequest) -> HttpResponse:
    """End every session of the user but this one, also those that wait for a code."""
    sessions.end(str(request.user.pk), keep=request.session.session_key)
    messages.success(request, "You are signed out everywhere else.")
    return redirect("account")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def data(request: HttpRequest) -> HttpResponseBase:
    """POST answers with one file of everything that is known of the user; GET leads to the button.

    Asks for a new code first when the sign-in is a quarter of an hour old.
    """
    if request.method != "POST":
        return redirect("account")
    now = Clock().now()
    try:
        file = export(str(request.user.pk), now=now)
    except GoneError:
        return redirect("account")
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"upwork-scout-{now:%Y-%m-%d}.json",
        content_type="application/json",
    )

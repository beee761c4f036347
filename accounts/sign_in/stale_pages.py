"""What a form gets that was opened before signing in or out in another tab."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import resolve

from accounts.forms import unsaved

_SAFE: Final = frozenset({"account_login", "account_confirm_login_code", "account_logout"})


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page anew where that loses nothing, else a page that says what to do; nothing is done."""
    if resolve(request.path_info).url_name in _SAFE:
        return redirect(request.get_full_path())
    user = request.user
    if user.is_authenticated and unsaved.is_owner(user, request.POST) and unsaved.keep(request):
        return redirect(request.get_full_path())
    return render(request, "accounts/stale.html", status=403)

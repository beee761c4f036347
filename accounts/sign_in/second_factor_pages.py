"""allauth's pages about the second factor, closed to sessions that have not passed it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.base import views as base
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache

from accounts.sign_in import second_factor

Page = Callable[..., HttpResponse]


def _guarded(page: Page) -> Page:
    """Ask for the second factor first where there is one: a session may be older than it."""

    @wraps(page)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if second_factor.standing(request) == "not passed":
            return redirect_to_login(request.get_full_path(), reverse("mfa_reauthenticate"))
        return page(request, *args, **kwargs)

    return login_required(never_cache(guarded))


class _Enrol(totp.ActivateTOTPView):  # type: ignore[misc]  # allauth is untyped
    """Enrolling, which passes the factor for this session."""

    def form_valid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        second_factor.record_enrolment(self.request)
        return response


class _Authenticate(base.AuthenticateView):  # type: ignore[misc]  # allauth is untyped
    """The second step of signing in."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "code" not in request.POST:  # allauth takes that for a security key
            return redirect("mfa_authenticate")
        response: HttpResponse = super().post(request, *args, **kwargs)
        return response


authenticate: Page = _Authenticate.as_view()
again: Page = never_cache(base.reauthenticate)
overview = _guarded(base.index)
enrol = _guarded(_Enrol.as_view())
remove = _guarded(totp.deactivate_totp)
recovery_codes = _guarded(recovery.view_recovery_codes)
new_recovery_codes = _guarded(recovery.generate_recovery_codes)
download_recovery_codes = _guarded(recovery.download_recovery_codes)

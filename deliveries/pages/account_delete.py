"""Deleting one's own account."""

from datetime import timedelta

from allauth.account.decorators import reauthentication_required
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.boundaries import commit
from accounts.identity import normalise_email
from accounts.models import User
from deliveries.leaving import delete_account
from deliveries.pruning import ADDRESS_KEPT
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError


class ConfirmForm(forms.Form):
    """That it is meant: the address, typed."""

    email = forms.CharField(
        label="Your address",
        max_length=400,
        error_messages={"required": "Type your address to delete the account."},
        widget=forms.EmailInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, email: str, data: object = None) -> None:
        """A form that only this address confirms."""
        super().__init__(data)  # type: ignore[arg-type]
        self.address = email

    def clean_email(self) -> str:
        """The address; raises ValidationError for another one."""
        typed = normalise_email(self.cleaned_data["email"])
        if typed != self.address:
            raise ValidationError("This is not your address. Nothing was deleted.")
        return typed


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def leave(request: HttpRequest) -> HttpResponse:
    """GET says what goes and what stays; POST with the address typed deletes the account."""
    assert isinstance(request.user, User)  # noqa: S101 -- somebody is signed in
    form = ConfirmForm(request.user.email, request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, form)
    try:
        delete_account(request.user.pk, now=Clock().now())
    except BusyError as error:
        form.add_error("email", str(error))
        return _page(request, form, status=503)
    with commit("account: sign out who left"):
        logout(request)
    messages.success(request, "Your account is deleted, with everything that was known of you.")
    return redirect("front")


def _page(request: HttpRequest, form: ConfirmForm, *, status: int = 200) -> HttpResponse:
    kept = max(ADDRESS_KEPT, timedelta(hours=settings.SCOUT_FRESH_HOURS))
    context = {"here": "account", "form": form, "hours": int(kept.total_seconds() // 3600)}
    return render(request, "deliveries/account_delete.html", context, status=status)

"""A signed-in user's preferences and searches: shown, checked, saved."""

from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.boundaries import commit
from accounts.countries import country_names
from accounts.enrolment import enrol
from accounts.forms import unsaved
from accounts.forms.profile import ProfileForm
from accounts.models import Preferences, User
from accounts.profiles import ProfileChanges
from deliveries.people import save_profile
from deliveries.work.clock import Clock

_CHANGED = (
    "Your preferences were changed elsewhere since you opened this page. Nothing of this is saved"
    " yet: look it through, and save again to let it replace what is stored."
)
_KEPT = "You had been signed out: nothing of this is saved yet. Look it through, then save."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """GET shows what is stored; POST saves, or shows what was typed with what is wrong."""
    user = request.user
    if not isinstance(user, User):
        if request.method == "POST" and unsaved.keep(request):
            messages.info(request, "You are signed out. Sign in, and what you typed is back.")
        return redirect_to_login(request.path)
    try:
        return _answer(request, user)
    except Preferences.DoesNotExist:  # deleted, or moved to another address, in this instant
        messages.info(request, "This account is gone, or has a new address; nothing was saved.")
        return redirect_to_login(request.path)


def _answer(request: HttpRequest, user: User) -> HttpResponse:
    if not Preferences.objects.filter(pk=user.pk).exists():
        _complete(user)
    if request.method != "POST":
        return _shown(request, user)
    if unsaved.FIELD in request.POST and not unsaved.is_owner(user, request.POST):
        messages.error(request, "You are signed in with another address now; nothing was saved.")
        return redirect("preferences")
    unsaved.drop(request)
    form = ProfileForm.typed(user, request.POST)
    if request.POST.get("do") == "add":
        return _page(request, user, form)
    if form.is_valid():
        trouble = _save(request, user, form)
        if trouble is None:
            messages.success(request, "Saved.")
            return redirect("preferences")
        messages.warning(request, trouble)
    return _page(request, user, form, troubles=form.troubles())


def _complete(user: User) -> None:
    """Give preferences to an account without any, and no account to somebody who left."""
    with commit("preferences: complete"):
        if enrol(user.email, ProfileChanges()).created:
            raise Preferences.DoesNotExist


def _shown(request: HttpRequest, user: User) -> HttpResponse:
    if "stored" in request.GET:
        unsaved.drop(request)
    typed = unsaved.kept(request, user)
    if typed is None:
        return _page(request, user, ProfileForm.stored(user))
    messages.warning(request, _KEPT)
    return _page(request, user, ProfileForm.typed(user, typed), kept=True)


def _save(request: HttpRequest, user: User, form: ProfileForm) -> str | None:
    """Store a valid form; why not, when it was not stored."""
    with commit("preferences: save"):
        stored = Preferences.objects.select_for_update().get(pk=user.pk)
        if request.POST.get("version", "") not in ("", _version(stored)):
            return _CHANGED
        try:
            save_profile(user.email, form.changes(), now=Clock().now())
        except ValidationError as error:  # an address no mail can be sent to
            return " ".join(error.messages)
    return None


def _version(stored: Preferences) -> str:
    return stored.saved_at.isoformat()


def _page(request: HttpRequest, user: User, form: ProfileForm, **more: Any) -> HttpResponse:
    context = {
        "here": "preferences",
        "form": form,
        "owner": unsaved.owner_token(user),
        "version": _version(form.preferences.stored),
        "countries": country_names(),
        "timezones": _zones(),
        **more,
    }
    return render(request, "deliveries/preferences.html", context)


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))

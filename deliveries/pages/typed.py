"""Pages with a long form, made so that nothing typed into one is lost by signing out or in."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final
from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.boundaries import commit
from accounts.countries import country_names
from accounts.enrolment import enrol
from accounts.forms import unsaved
from accounts.models import Preferences, User
from accounts.profiles import ProfileChanges
from deliveries.pages.signed_in import GONE

KEPT = "You had been signed out: nothing of this is saved yet. Look it through, then save."
_PLACES: Final = tuple(
    f"{place}/"
    for place in (
        *("Africa", "America", "Antarctica", "Asia", "Atlantic"),
        *("Australia", "Europe", "Indian", "Pacific"),
    )
)


def keeps_what_is_typed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of (request, user, …), for who is signed in and has preferences.

    Who is not signed in, or left while the view ran (either's DoesNotExist), signs in; a form
    with `owner` in it is kept meanwhile, and is never taken for somebody else's.
    """

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        user = request.user
        if not isinstance(user, User):
            if request.method == "POST" and unsaved.keep(request):
                messages.info(request, "You are signed out. Sign in, and what you typed is back.")
            return redirect_to_login(request.path)
        try:
            if not Preferences.objects.filter(pk=user.pk).exists():
                complete(user)
            return _of_somebody_else(request, user) or view(request, user, *args, **kwargs)
        except (Preferences.DoesNotExist, User.DoesNotExist):  # deleted, or moved, in this instant
            messages.info(request, GONE)
            return redirect_to_login(request.path)

    return page


def complete(user: User) -> None:
    """Give preferences to an account without any, and no account to somebody who left."""
    with commit("preferences: complete"):
        if enrol(user.email, ProfileChanges()).created:
            raise Preferences.DoesNotExist


def choices() -> dict[str, Any]:
    """What the lists behind the boxes for countries and time zones hold."""
    return {"countries": country_names(), "timezones": _zones()}


def _of_somebody_else(request: HttpRequest, user: User) -> HttpResponse | None:
    if request.method != "POST":
        return None
    if unsaved.FIELD in request.POST and not unsaved.is_owner(user, request.POST):
        messages.error(request, "You are signed in with another address now; nothing was saved.")
        return redirect(request.path)
    unsaved.drop(request)
    return None


@lru_cache(maxsize=1)
def _zones() -> tuple[str, ...]:
    """The names people know; older ones, such as US/Pacific, are taken but not offered."""
    names = (name for name in available_timezones() if name.startswith(_PLACES))
    return ("UTC", *sorted(names))

"""The admin's door: staff come through the site's sign-in, with a second factor."""

from typing import Any, Final

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from accounts.sign_in import second_factor

_WAY: Final = {"not enrolled": "mfa_activate_totp", "not passed": "mfa_reauthenticate"}
_FIRST: Final = ("deliveries", "jobs", "accounts")
_FACTOR: Final = ("user", "type", "created_at", "last_used_at")


class GuardedAdminSite(AdminSite):
    """The stock admin, open to active staff who passed a second factor in this session."""

    def has_permission(self, request: HttpRequest) -> bool:
        """Asked by every page of the admin."""
        return second_factor.may_administer(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Lead to whatever is missing: sign-in, enrolling, the second factor."""
        return _door(request)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """What staff look at most comes first."""
        apps = super().get_app_list(request, app_label)
        own = {label: place for place, label in enumerate(_FIRST)}
        return sorted(apps, key=lambda app: own.get(app["app_label"], len(own)))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Take what allauth registers by itself only as far as it gives nothing away.

        Of a second factor, staff see that it is there, not its secret, and may delete it for
        somebody who lost it; addresses are verified by their owners alone.  Schedules are kept
        in step by `sync_schedules`, and nobody writes one by hand.
        """
        models = model_or_iterable if isinstance(model_or_iterable, tuple) else [model_or_iterable]
        label = getattr(models[0], "_meta").app_label  # noqa: B009 -- a model class
        if label in ("account", "django_q"):  # a schedule made there may run any function
            return
        if label == "mfa":
            options |= {"fields": _FACTOR, "readonly_fields": _FACTOR, "has_add_permission": _no}
        super().register(model_or_iterable, admin_class, **options)


@never_cache
def _door(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get(REDIRECT_FIELD_NAME, "")
    if not url_has_allowed_host_and_scheme(wanted, allowed_hosts=None):
        wanted = reverse("admin:index")
    if not request.user.is_authenticated:
        return redirect_to_login(wanted)
    if not request.user.is_staff:
        return render(request, "accounts/staff_only.html", status=403)
    way = _WAY.get(second_factor.standing(request))
    return redirect_to_login(wanted, resolve_url(way)) if way else HttpResponseRedirect(wanted)


def _no(*_: Any) -> bool:
    return False

"""Where somebody was when they pressed a button: that page again, and no other site's."""

from contextlib import suppress
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

_OURS: Final = ("/jobs/", "/why/")


def place_of(request: HttpRequest) -> str:
    """The address of the page that is shown, to be posted back with its buttons.

    A part that a script loads is shown within the page it asked from.
    """
    return _around(request) or request.get_full_path()


def is_part(request: HttpRequest) -> bool:
    """Whether a script asks for a part of the page that it stands in."""
    return bool(HtmxDetails(request))


def came_from(request: HttpRequest) -> str:
    """The address of our page that led here, My jobs when none did."""
    return _ours(_around(request) or _before(request))


def back(request: HttpRequest, anchor: str = "") -> HttpResponseRedirect:
    """To the page whose address was posted, My jobs where it was none of ours."""
    place = _ours(request.POST.get("back", "").partition("#")[0])
    return HttpResponseRedirect(place + (f"#{quote(anchor, safe=':')}" if anchor else ""))


def _around(request: HttpRequest) -> str | None:
    """The page that a script says it stands in."""
    with suppress(ValueError):  # no address at all
        return HtmxDetails(request).current_url_abs_path
    return None


def _before(request: HttpRequest) -> str:
    """The page of ours that a browser says it comes from, or ""."""
    with suppress(ValueError):
        parts = urlsplit(request.headers.get("Referer", ""))
        if parts.hostname == urlsplit(f"//{request.get_host()}").hostname:
            return urlunsplit(("", "", *parts[2:4], ""))
    return ""


def _ours(place: str) -> str:
    safe = place.startswith(_OURS) and url_has_allowed_host_and_scheme(place, None)
    return place if safe else "/jobs/"

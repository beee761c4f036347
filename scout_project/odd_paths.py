"""Addresses that can lead nowhere."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound


def no_nul(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Middleware: 404 for an admin address with a NUL, which no row's key can hold."""

    def middleware(request: HttpRequest) -> HttpResponse:
        odd = "\0" in request.path and request.path.startswith("/admin/")
        return HttpResponseNotFound() if odd else get_response(request)

    return middleware

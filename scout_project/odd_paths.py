"""Addresses that can lead nowhere."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound


def no_nul(get_response: Callable[[HttpRequest], HttpResponse]) -> object:
    """Middleware: 404 for an address with a NUL, which no row's key can hold."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return HttpResponseNotFound() if "\0" in request.path else get_response(request)

    return middleware

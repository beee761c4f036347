"""Pages about one person's mail."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.opting_out import opt_in, opt_out, standing


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows where mail stands; POST stops it, or with `?resume` lifts the user's own stop.

    RFC 8058: a mail reader's one-click POST carries no login, cookie or CSRF token and must be
    answered without a redirect; 200 also for a token nobody has (any more).  The body is not
    read: whatever is posted to the bare address stops the mail.
    """
    if request.method == "POST":
        act = opt_in if "resume" in request.GET else opt_out
        act(token)
    context = {"standing": standing(token), "acted": request.method == "POST"}
    response = render(request, "accounts/unsubscribe.html", context)
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response

"""Pages about one person's mail."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Suppression
from accounts.opting_out import opt_in, opt_out


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows where mail stands; POST stops it, or lifts the user's own stop.

    RFC 8058: a mail reader's one-click POST carries no login, cookie or CSRF token and must be
    answered without a redirect; 200 also for a token nobody has (any more).
    """
    if request.method == "POST":
        if request.POST.get("again") == "yes":
            opt_in(token)
        else:
            opt_out(token)
    suppression = Suppression.objects.filter(user__opt_out_tokens__token=token).first()
    stopped = request.method == "POST" and request.POST.get("again") != "yes"
    context = {
        "stopped": stopped or suppression is not None,
        "may_resume": suppression is not None and suppression.reason == "opted_out",
        "done": request.method == "POST",
    }
    response = render(request, "accounts/unsubscribe.html", context)
    response["Referrer-Policy"] = "no-referrer"
    return response

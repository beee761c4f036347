"""Pages for who is signed in, of which a script may ask for a part."""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import Preferences, User
from deliveries.pages.back import came_from, is_part

View = Callable[[HttpRequest], HttpResponse]

GONE: Final = "This account is gone, or has a new address; nothing was changed."


def signed_in(view: View) -> Callable[[HttpRequest], HttpResponseBase]:
    """As `login_required`, also for who left, or got another address, while the view ran
    (User.DoesNotExist, Preferences.DoesNotExist).

    A script is told to lead its whole page to the sign-in.
    """
    guarded = login_required(view)

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponseBase:
        if is_part(request) and not request.user.is_authenticated:
            return _to_sign_in(request)
        try:
            return guarded(request)
        except (User.DoesNotExist, Preferences.DoesNotExist):
            messages.info(request, GONE)
            return _to_sign_in(request)

    return answer


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    if is_part(request):
        return HttpResponseClientRedirect(redirect_to_login(came_from(request)).url)
    return redirect_to_login(request.get_full_path())

"""Pages for who is signed in, of which a script may ask for a part."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django_htmx.http import HttpResponseClientRedirect

from deliveries.pages.back import came_from, is_part

View = Callable[[HttpRequest], HttpResponse]


def signed_in(view: View) -> Callable[[HttpRequest], HttpResponseBase]:
    """As `login_required`; a script is told to lead its whole page to the sign-in."""
    guarded = login_required(view)

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponseBase:
        if is_part(request) and not request.user.is_authenticated:
            return HttpResponseClientRedirect(redirect_to_login(came_from(request)).url)
        return guarded(request)

    return answer

"""How mail stands with a signed-in user, with the switch for it."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.enrolment import enrol
from accounts.models import User
from accounts.opting_out import opt_in, opt_out, standing
from accounts.person import Person, read_person
from accounts.profiles import ProfileChanges
from deliveries import routing
from deliveries.messages.job_card import local_time
from deliveries.models import Delivery
from deliveries.work.clock import Clock


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_mail(request: HttpRequest) -> HttpResponse:
    """GET tells; POST stops the mail, or lifts the user's own stop."""
    person = _person(request)
    if request.method == "POST":
        act = opt_in if request.POST.get("do") == "resume" else opt_out
        act(person.opt_out_token)
        return redirect("my-mail")
    context = {"here": "my-mail", "standing": standing(person.opt_out_token)}
    context |= _telling(person, Clock().now())
    return render(request, "deliveries/my_mail.html", context)


def _person(request: HttpRequest) -> Person:
    """The signed-in user; one made without preferences gets them here."""
    found = read_person(str(request.user.pk))
    if found is None and isinstance(request.user, User):
        enrol(request.user.email, ProfileChanges())
        found = read_person(str(request.user.pk))
    assert found is not None  # noqa: S101 -- somebody is signed in
    return found


def _telling(person: Person, now: datetime) -> dict[str, Any]:
    terms = person.terms
    waiting = Delivery.objects.filter(user_id=person.user_id, status="queued")
    next_digest = routing.next_digest(terms, now, person.last_digest_on)
    paused = terms.paused_until if routing.is_paused(terms, now) else None
    return {
        "terms": terms,
        "paused": local_time(paused, terms.timezone) if paused else "",
        "quiet": routing.is_quiet(terms, now),
        "next_digest": local_time(next_digest, terms.timezone),
        "waiting_instant": waiting.filter(route="instant").count(),
        "waiting_daily": waiting.filter(route="daily").count(),
    }

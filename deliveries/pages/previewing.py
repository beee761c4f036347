"""What the search being edited would have sent of last week's jobs, beside its form."""

from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.forms.profile import ProfileForm
from accounts.forms.search import SearchForm
from accounts.models import Preferences, User
from accounts.search_fields import too_open
from deliveries.messages.job_card import client_line, pay_line, work_line
from deliveries.messages.tried_card import card_of
from deliveries.work.clock import Clock
from jobs.preview import Shown, preview
from jobs.recent import recent_jobs
from jobs.tasting import tastes_of

_BEST: Final = 5
_MISSES: Final = 5
_SIGNED_OUT: Final = "You are signed out: save, sign in again, and what you typed is back."
_NOTHING_YET: Final = (
    "Say what you do: a line or a few skills are enough. Then this shows which of last week's jobs"
    " would have come."
)
_MEND: Final = "Mend this to see what would have come:"


@never_cache
@require_POST
def of_searches(request: HttpRequest) -> HttpResponse:
    """The part beside the search at `place` of the posted form of preferences; nothing is saved."""
    user = request.user
    if not isinstance(user, User):
        return signed_out(request)
    try:
        form = ProfileForm.typed(user, request.POST)
    except Preferences.DoesNotExist:
        return signed_out(request)
    place = request.POST.get("place", "")
    search = next((each for each in form.searches if str(each.place) == place), form.searches[0])
    found = tried(user.pk, search, now=Clock().now(), begun=search.is_begun)
    return part(request, found, place=search.place)


def signed_out(request: HttpRequest) -> HttpResponse:
    """The part for who is not signed in any more."""
    return part(request, {"words": _SIGNED_OUT, "warn": True}, request.POST.get("place", "1"))


def part(request: HttpRequest, found: dict[str, Any], place: int | str = 1) -> HttpResponse:
    """What was `tried`, as htmx puts it beside the form."""
    context = {"tried": {"place": place, **found}, "alone": True}
    return render(request, "deliveries/preview.html", context)


def tried(user_id: str, form: SearchForm, *, now: datetime, begun: bool = True) -> dict[str, Any]:
    """What a typed search would have sent: `words`, whether they `warn`, and the jobs.

    With errors in the form it says what to mend.  `begun` is False for a search that nobody has
    described yet: that is no mistake.
    """
    valid = form.is_valid()
    if form.lets_all_through and not begun:
        return {"words": _NOTHING_YET}
    if not valid:
        return {"words": _MEND, "warn": True, "mend": _to_mend(form)}
    terms = form.terms()
    if reason := too_open(terms):
        return {"words": reason, "warn": True}
    found = preview(
        terms,
        recent_jobs(now=now),
        now=now,
        best=_BEST,
        misses=_MISSES,
        taste=tastes_of([user_id]).get(user_id),
    )
    return {
        "words": found.words,
        "warn": found.considered > 0 and found.sent_count in (0, found.considered),
        "considered": found.considered,
        "sent_count": found.sent_count,
        "sent": [_item(shown) for shown in found.sent],
        "near": [{**_item(miss.job), "kept_out_by": miss.kept_out_by} for miss in found.near],
    }


def _to_mend(form: SearchForm) -> list[dict[str, str]]:
    return [
        {"label": str(form[name].label) if name in form.fields else "", "message": str(message)}
        for name, messages in form.errors.items()
        for message in messages
    ]


def _item(shown: Shown) -> dict[str, Any]:
    card = card_of(shown)
    facts = [pay_line(card), work_line(card), client_line(card)]
    return {"card": card, "facts": " · ".join(filter(None, facts))}

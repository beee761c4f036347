"""How mail reaches a signed-in user: what stands, and all that can be done about it."""

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.boundaries import commit
from accounts.forms import unsaved
from accounts.models import Preferences, User
from accounts.opting_out import opt_in, opt_out
from accounts.person import Person, read_person
from accounts.profiles import ProfileChanges
from deliveries import routing, samples
from deliveries.messages.job_card import local_time
from deliveries.pages.delivery_forms import DeliveryForm, PauseForm, zone_names
from deliveries.pages.mail_standing import standing_of
from deliveries.pages.typed import KEPT, keeps_what_is_typed
from deliveries.people import save_profile
from deliveries.work.clock import Clock

Deed = Callable[[HttpRequest, Person], HttpResponse]

_CHANGED: Final = (
    "Your settings were changed elsewhere since you opened this page. Nothing of this is saved"
    " yet: look it through, and save again to let it replace what is stored."
)


@keeps_what_is_typed
def my_mail(request: HttpRequest, user: User) -> HttpResponse:
    """GET tells; POST does what its `do` says, and shows what was typed with what is wrong."""
    person = read_person(user.pk)
    if person is None:
        raise Preferences.DoesNotExist
    deed: Deed = _shown
    if request.method == "POST":
        deed = _DEEDS.get(request.POST.get("do", ""), _nothing)
    return deed(request, person)


def _shown(request: HttpRequest, person: Person) -> HttpResponse:
    """What is stored, or the settings that were typed when nobody was signed in any more."""
    if "stored" in request.GET:
        unsaved.drop(request)
    typed = unsaved.kept(request, _user(request))
    if typed is None:
        return _page(request, person)
    messages.warning(request, KEPT)
    form = DeliveryForm(Preferences.objects.get(pk=person.user_id), typed)
    return _page(request, person, form=form, kept=True)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- somebody is signed in
    return request.user


def _stop(request: HttpRequest, person: Person) -> HttpResponse:
    opt_out(person.opt_out_token)
    return redirect("my-mail")


def _resume(request: HttpRequest, person: Person) -> HttpResponse:
    opt_in(person.opt_out_token)
    return redirect("my-mail")


def _pause(request: HttpRequest, person: Person) -> HttpResponse:
    now, choice = Clock().now(), request.POST.get("until", "")
    if choice in _UNTIL:
        return _paused(request, person, _UNTIL[choice](person.terms, now))
    form = PauseForm(person.terms, now, request.POST)
    if form.is_valid():
        return _paused(request, person, form.cleaned_data["paused_until"])
    return _page(request, person, pause=form)


def _go_on(request: HttpRequest, person: Person) -> HttpResponse:
    return _paused(request, person, None)


def _paused(request: HttpRequest, person: Person, until: datetime | None) -> HttpResponse:
    """Pause, or end the pause when `until` is None."""
    _store(person, {"paused_until": until})
    return redirect("my-mail")


def _save(request: HttpRequest, person: Person) -> HttpResponse:
    form = DeliveryForm(Preferences.objects.get(pk=person.user_id), request.POST)
    if not form.is_valid():
        return _page(request, person, form=form)
    if not _store(person, form.changed(), version=request.POST.get("version", "")):
        messages.warning(request, _CHANGED)
        return _page(request, person, form=form)
    messages.success(request, "Saved.")
    return redirect("my-mail")


def _store(person: Person, values: Mapping[str, Any], *, version: str = "") -> bool:
    """Change these preferences; False, and nothing, when the page had shown another `version`.

    Raises Preferences.DoesNotExist when the user is gone: an account is not made anew.
    """
    with commit("my mail: save"):
        stored = Preferences.objects.select_for_update().get(pk=person.user_id)
        if version not in ("", stored.saved_at.isoformat()):
            return False
        save_profile(person.email, ProfileChanges(preferences=values), now=Clock().now())
    return True


def _sample(request: HttpRequest, person: Person) -> HttpResponse:
    result = samples.send_sample(person.user_id, request.POST.get("press", ""), Clock())
    tell = messages.success if result.sent else messages.warning
    tell(request, result.words)
    return redirect("my-mail")


_UNTIL: Final = {"tomorrow": routing.tomorrow_morning, "week": routing.in_a_week}
_DEEDS: Final[dict[str, Deed]] = {
    "stop": _stop,
    "resume": _resume,
    "pause": _pause,
    "go on": _go_on,
    "save": _save,
    "sample": _sample,
}


def _nothing(request: HttpRequest, person: Person) -> HttpResponse:
    return redirect("my-mail")


def _page(
    request: HttpRequest,
    person: Person,
    *,
    form: DeliveryForm | None = None,
    pause: PauseForm | None = None,
    kept: bool = False,
) -> HttpResponse:
    now, terms = Clock().now(), person.terms
    form = form or DeliveryForm(Preferences.objects.get(pk=person.user_id))
    context = {
        "here": "my-mail",
        "form": form,
        "kept": kept,
        "owner": unsaved.owner_token(_user(request)),
        "parts": form.rows(),
        "troubles": form.troubles() if form.is_bound else [],
        "version": form.stored.saved_at.isoformat(),
        "pause": pause or PauseForm(terms, now),
        "choices": {
            name: local_time(until(terms, now), terms.timezone) for name, until in _UNTIL.items()
        },
        "press": secrets.token_urlsafe(24),
        "timezones": zone_names(),
        **standing_of(person, now),
    }
    return render(request, "deliveries/my_mail.html", context)

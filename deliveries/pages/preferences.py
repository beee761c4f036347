"""A signed-in user's preferences and searches: shown, tried, checked, saved."""

from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.boundaries import commit
from accounts.forms import unsaved
from accounts.forms.profile import ProfileForm
from accounts.models import Preferences, User
from accounts.person import is_set_up
from deliveries.pages import previewing
from deliveries.pages.typed import KEPT, choices, keeps_what_is_typed
from deliveries.people import save_profile
from deliveries.work.clock import Clock

_CHANGED: Final = (
    "Your preferences were changed elsewhere since you opened this page. Nothing of this is saved"
    " yet: look it through, and save again to let it replace what is stored."
)
_OTHERWISE: Final = ("add", "copy-", "edit-", "preview-")


@keeps_what_is_typed
def preferences(request: HttpRequest, user: User) -> HttpResponse:
    """GET shows what is stored, with `edit=N` the Nth search of it; POST saves, or shows what was
    typed with what is wrong.

    `do=add`, `do=copy-N`, `do=edit-N` and `do=preview-N` save nothing: they show what was typed,
    with one search more, the Nth search opened, or what that would have sent.
    """
    if request.method != "POST":
        return _shown(request, user)
    form = ProfileForm.typed(user, request.POST)
    asked = request.POST.get("do", "")
    if asked.startswith(_OTHERWISE):
        tried = _tried(user, form) if asked.startswith("preview-") else None
        return _page(request, user, form, tried=tried)
    if form.is_valid():
        trouble = _save(request, user, form)
        if trouble is None:
            messages.success(request, "Saved.")
            return redirect("preferences")
        messages.warning(request, trouble)
    return _page(request, user, form, troubles=form.troubles())


def _tried(user: User, form: ProfileForm) -> dict[str, Any]:
    """What the search being looked at would have sent, and its place."""
    search = form.searches[form.asked - 1]
    found = previewing.tried(user.pk, search, now=Clock().now(), begun=search.is_begun)
    return {"place": search.place, **found}


def _shown(request: HttpRequest, user: User) -> HttpResponse:
    if "stored" in request.GET:
        unsaved.drop(request)
    typed = unsaved.kept(request, user)
    if typed is None:
        return _page(request, user, ProfileForm.stored(user, request.GET.get("edit", "")))
    messages.warning(request, KEPT)
    return _page(request, user, ProfileForm.typed(user, typed), kept=True)


def _save(request: HttpRequest, user: User, form: ProfileForm) -> str | None:
    """Store a valid form; why not, when it was not stored."""
    with commit("preferences: save"):
        stored = Preferences.objects.select_for_update().get(pk=user.pk)
        if request.POST.get("version", "") not in ("", _version(stored)):
            return _CHANGED
        try:
            save_profile(user.email, form.changes(), now=Clock().now())
        except ValidationError as error:  # an address no mail can be sent to
            return " ".join(error.messages)
    return None


def _version(stored: Preferences) -> str:
    return stored.saved_at.isoformat()


def _page(request: HttpRequest, user: User, form: ProfileForm, **more: Any) -> HttpResponse:
    context = {
        "here": "preferences",
        "form": form,
        "owner": unsaved.owner_token(user),
        "version": _version(form.preferences.stored),
        "set_up": is_set_up(user.pk),
        **choices(),
        **more,
    }
    return render(request, "deliveries/preferences.html", context)

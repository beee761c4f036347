"""Setting up in three steps after the first sign-in; nothing is mailed before the last one."""

from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

from accounts.boundaries import commit
from accounts.forms import unsaved
from accounts.forms.fields import split_list
from accounts.forms.welcome import STEPS, Step, StepForm
from accounts.models import Preferences, Search, User
from accounts.person import is_set_up, read_person
from accounts.profiles import ProfileError
from accounts.search_fields import too_open
from deliveries.messages.first_mail import first_mail
from deliveries.pages import previewing
from deliveries.pages.typed import KEPT, choices, keeps_what_is_typed
from deliveries.people import save_profile
from deliveries.work.clock import Clock
from jobs.known_skills import known_skills
from jobs.text.suggesting import suggested_skills

_FIRST: Final = STEPS[0]
_LAST: Final = STEPS[-1]


@keeps_what_is_typed
def welcome(request: HttpRequest, user: User, name: str) -> HttpResponse:
    """One step: GET shows it; POST saves it and leads on, or shows what was typed.

    `do=suggest` and `do=preview` save nothing.
    """
    step, now = _step(name), Clock().now()
    if request.method != "POST":
        return _shown(request, user, step)
    form = StepForm.of(step, user, request.POST)
    asked = request.POST.get("do")
    if asked == "suggest" and step == _FIRST:
        answer = _page(request, user, form, suggestions=_suggestions(request, form, now))
        return trigger_client_event(answer, "suggested", after="settle")
    if asked == "preview":
        return _page(request, user, form, tried=_tried(user, form, now))
    if form.is_valid():
        finish = step == _LAST and asked != "back"
        trouble = _save(user, form, now, finish=finish)
        if trouble is None:
            return _finished(request, user, now) if finish else redirect(_beside(step, asked).url)
        messages.warning(request, trouble)
    return _page(request, user, form, troubles=form.troubles())


@never_cache
@require_POST
def preview_of_step(request: HttpRequest, name: str) -> HttpResponse:
    """The part beside a step's form, for what is typed; nothing is saved."""
    user = request.user
    if not isinstance(user, User):
        return previewing.signed_out(request)
    try:
        form = StepForm.of(_step(name), user, request.POST)
    except Preferences.DoesNotExist:
        return previewing.signed_out(request)
    return previewing.part(request, _tried(user, form, Clock().now()))


def _step(name: str) -> Step:
    for step in STEPS:
        if step.name == name:
            return step
    raise Http404


def _shown(request: HttpRequest, user: User, step: Step) -> HttpResponse:
    if "stored" in request.GET:
        unsaved.drop(request)
    typed = unsaved.kept(request, user)
    if typed is not None:
        messages.warning(request, KEPT)
    return _page(request, user, StepForm.of(step, user, typed), kept=typed is not None)


def _tried(user: User, form: StepForm, now: datetime) -> dict[str, Any]:
    found = previewing.tried(user.pk, form.search, now=now, begun=form.step != _FIRST)
    return {"place": 1, **found}


def _suggestions(request: HttpRequest, form: StepForm, now: datetime) -> list[str]:
    """The skills that what was typed about oneself names, but for those that are listed."""
    typed = [str(form.search[name].value() or "") for name in ("headline", "about")]
    listed = split_list([str(form.search["skills"].value() or "")])
    return suggested_skills("\n".join(typed), known=known_skills(now=now), listed=listed)


def _save(user: User, form: StepForm, now: datetime, *, finish: bool) -> str | None:
    """Store a valid step; why not, when it was not stored.

    A search that is not at work yet is switched on only by finishing.
    """
    with commit("welcome: save"):
        Preferences.objects.select_for_update().get(pk=user.pk)
        stored = Search.objects.filter(user=user).order_by("position").first()
        at_work = stored is not None and stored.active and too_open(stored.terms()) is None
        changes = form.changes(active=at_work or finish)
        try:
            save_profile(user.email, changes, now=now)
        except ValidationError as error:  # an address no mail can be sent to
            return " ".join(error.messages)
        except ProfileError as error:  # the search was changed elsewhere at this moment
            return f"{error} Nothing was saved."
    return None


def _beside(step: Step, asked: str | None) -> Step:
    """The step after it, or before it when the button for that was pressed."""
    at = STEPS.index(step)
    return STEPS[max(at - 1, 0) if asked == "back" else at + 1]


def _finished(request: HttpRequest, user: User, now: datetime) -> HttpResponse:
    if person := read_person(user.pk):
        messages.success(request, f"You are set up. {first_mail(person, now)}")
    return redirect("my-jobs")


def _page(request: HttpRequest, user: User, form: StepForm, **more: Any) -> HttpResponse:
    at, set_up = STEPS.index(form.step), is_set_up(user.pk)
    context = {
        "form": form,
        "step": form.step,
        "steps": STEPS,
        "number": at + 1,
        "back": STEPS[at - 1] if at else None,
        "last": form.step == _LAST,
        "owner": unsaved.owner_token(user),
        "set_up": set_up,
        "guess_zone": not (set_up or form.preferences.is_bound)
        and form.preferences.stored.timezone == "UTC",
        **choices(),
        **more,
    }
    return render(request, "deliveries/welcome.html", context)

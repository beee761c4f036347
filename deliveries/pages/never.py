"""Never this country, never this word: one step from a job, and one step back."""

import secrets
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Preferences, User
from accounts.profile_values import ProfileError
from accounts.viewer import viewer
from deliveries.avoiding import Field, offers
from deliveries.never import Avoided, allow, avoid
from deliveries.pages.back import back, came_from, is_part
from deliveries.pages.signed_in import GONE, signed_in
from deliveries.why.finding import find
from deliveries.work.clock import Clock
from jobs.filters.wording import country

_KEPT: Final = 5
# In the session: the last steps that can be undone, by an id each, and what the next page says.
_UNDO: Final = "never_undo"
_TOLD: Final = "never_told"


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def never(request: HttpRequest) -> HttpResponse:
    """POST lets the user's active searches avoid a `country`, a `word`, or one that was `typed`.

    GET offers the words of a `job`: a page, or for a script the form alone.
    """
    return _step(request) if request.method == "POST" else _offered(request)


def _offered(request: HttpRequest) -> HttpResponse:
    who, job = viewer(str(request.user.pk)), find(request.GET.get("job", ""))
    context: dict[str, Any] = {"here": "my-jobs", "back": came_from(request)}
    if job is not None:
        words = offers(job.title, job.skills, [search.terms for search in who.active])
        context |= {"job_id": job.pk, "title": job.title, "words": words}
    page = "deliveries/words.html" if is_part(request) else "deliveries/words_page.html"
    return render(request, page, context)


def _step(request: HttpRequest) -> HttpResponse:
    field: Field = "countries_exclude" if "country" in request.POST else "words_none"
    names = ("country",) if field == "countries_exclude" else ("word", "typed")
    written = next(filter(None, (request.POST.get(name, "").strip() for name in names)), "")
    if not written:
        messages.error(request, "Write the word that no job should name, then press “Never”.")
        return back(request)
    try:
        outcome = avoid(_user(request), field, written, now=Clock().now())
    except ProfileError as error:
        messages.error(request, f"Nothing was changed: {error}")
    except Preferences.DoesNotExist:
        messages.error(request, GONE)
    else:
        _tell(request, outcome)
    return back(request)


@login_required
@require_POST
def undo(request: HttpRequest) -> HttpResponse:
    """Take back the step that `undo` names: only what it added goes, and only once."""
    kept = request.session.get(_UNDO, {})
    step = kept.pop(request.POST.get("undo", ""), None)
    if step is None:
        messages.info(request, "That was undone already, or is too long ago to be undone here.")
        return back(request)
    try:
        undone = allow(
            _user(request), step["field"], step["entry"], step["searches"], now=Clock().now()
        )
    except ProfileError as error:
        messages.error(request, f"It was not undone: {error}")
    except Preferences.DoesNotExist:
        messages.error(request, GONE)
    else:
        done = f"Undone: {_named(step['field'], step['entry'])} may come again."
        messages.success(request, done if undone else "There was nothing left to undo.")
    request.session[_UNDO] = kept
    return back(request)


def told(request: HttpRequest) -> dict[str, str] | None:
    """What the last step did, to be shown once: its words, and what undoes it."""
    shown: dict[str, str] | None = request.session.pop(_TOLD, None)
    return shown


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)  # noqa: S101 -- somebody is signed in
    return request.user


def _tell(request: HttpRequest, outcome: Avoided) -> None:
    if not outcome.added:
        level = messages.INFO if outcome.was_in and not outcome.left else messages.ERROR
        messages.add_message(request, level, in_words(outcome))
        return
    key = secrets.token_urlsafe(9)
    step = {"field": outcome.field, "entry": outcome.entry, "searches": list(outcome.added)}
    kept: dict[str, Any] = {**request.session.get(_UNDO, {}), key: step}
    request.session[_UNDO] = dict(list(kept.items())[-_KEPT:])
    request.session[_TOLD] = {"words": in_words(outcome), "undo": key}


def in_words(outcome: Avoided) -> str:
    """What came of it, in sentences."""
    what = _named(outcome.field, outcome.entry)
    left = " ".join(f"“{name}” was left as it was: {reason}" for name, reason in outcome.left)
    if outcome.added:
        checked = "Jobs that wait are checked again before they are sent."
        said = f"From now on no {what} come{_which(outcome)}. {checked}"
    elif outcome.was_in:
        said = f"No {what} come anyhow: that was set already."
    elif outcome.left:
        said = "Nothing was changed."
    else:
        said = "Nothing was changed: none of your searches is switched on."
    return f"{said} {left}".strip()


def _which(outcome: Avoided) -> str:
    """The searches, where there are several and it matters."""
    total = len(outcome.now_in) + len(outcome.was_in) + len(outcome.left)
    if total == 1:
        return ""
    if not outcome.left:
        return f", by any of your {total} searches"
    names = ", ".join(f"“{name}”" for name in (*outcome.now_in, *outcome.was_in))
    return f" by {names}"


def _named(field: str, entry: str) -> str:
    if field == "countries_exclude":
        return f"jobs of clients in {country(entry)}"
    return f"jobs that name “{entry}”"

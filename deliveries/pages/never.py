"""Never this country, never this word: one step from a job, and one step back."""

import secrets
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from accounts.models import Preferences, User
from accounts.profile_values import ProfileError
from deliveries.avoiding import Field
from deliveries.never import Avoided, allow, avoid
from deliveries.pages.back import back
from deliveries.work.clock import Clock
from jobs.filters.wording import country

_KEPT: Final = 5
_UNDO: Final = (
    "never_undo"  # in the session: what can be undone, by an id of its own, the last ones
)
_TOLD: Final = "never_told"  # in the session: what the next page says
_GONE: Final = "This account is gone, or has a new address; nothing was changed."


@login_required
@require_POST
def never(request: HttpRequest) -> HttpResponse:
    """Let the user's active searches avoid a `country`, a `word`, or a word that was `typed`."""
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
        messages.error(request, _GONE)
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
        messages.error(request, _GONE)
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

"""Making a user ready to receive, and changing what a profile says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, models
from django.db.models.functions import Now

from accounts.boundaries import commit
from accounts.checks_sql import checked_email
from accounts.deleted_addresses import seen_until
from accounts.identity import uid_of
from accounts.models import OptOutToken, Preferences, Search, User
from accounts.profiles import ProfileChanges, ProfileError, check_quiet
from accounts.search_fields import refusal

_TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The user, whether the account is new, and whether anything is other than before."""

    user: User
    created: bool
    changed: bool


def enrol(email: str, changes: ProfileChanges, *, staff: bool = False) -> Enrolled:
    """A user with preferences, searches and an opt-out token; made once, else changed.

    Only what `changes` gives is changed.  Two callers at once make one account.  Raises
    ValidationError for an address that is none, ProfileError for half of the quiet hours and
    for a search that would let every job through, or none.
    """
    address = checked_email(email)
    for _ in range(_TRIES):
        try:
            with commit("account: enrol"):
                return _enrol(address, changes, staff=staff)
        except _GoneError:
            continue
    raise RuntimeError(f"The account went away {_TRIES} times while it was enrolled.")


class _GoneError(Exception):
    """The user was deleted, or moved to another address, between two statements."""


def _enrol(address: str, changes: ProfileChanges, *, staff: bool) -> Enrolled:
    found, created = _user(address)
    preferences, user = _hold(found.pk)
    promoted = staff and _promote(user)
    OptOutToken.objects.get_or_create(user=user, purpose=OptOutToken.Purpose.JOBS)
    changed = _assign(preferences, changes.preferences)
    check_quiet(preferences.quiet_from, preferences.quiet_until)
    searched = _save_searches(user, changes)
    if changed or searched:
        preferences.saved_at = Now()
        preferences.save(update_fields=[*changed, "saved_at"])
    return Enrolled(user, created, bool(created or promoted or changed or searched))


def _hold(user_id: str) -> tuple[Preferences, User]:
    """Preferences, made when there are none, and user, locked in this order until the end.

    Of two callers the second sees what the first has written, and nobody deletes the user before
    this has committed.  Raises _GoneError when somebody did.
    """
    Preferences.objects.get_or_create(user_id=user_id)
    preferences = Preferences.objects.select_for_update().filter(pk=user_id).first()
    user = User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    if preferences is None or user is None:
        raise _GoneError
    return preferences, user


def _user(address: str) -> tuple[User, bool]:
    users = User.objects.filter(pk=uid_of(address))
    if found := users.first():
        return found, False
    try:
        with commit("account: create"):
            return User.objects.create_user(address, jobs_from=seen_until(address)), True
    except IntegrityError:
        if found := users.first():  # made by another caller in between
            return found, False
        raise


def _promote(user: User) -> bool:
    """Let the user enter the admin; whether that is new."""
    if user.is_staff and user.is_superuser:
        return False
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    return True


def _save_searches(user: User, changes: ProfileChanges) -> bool:
    """Make the searches what the changes say; whether any is other than before."""
    rows = list(Search.objects.filter(user=user).order_by("position"))
    if changes.searches is None:
        return _store(rows[0] if rows else Search(user=user), changes.search)
    chosen = _rows_for(changes.searches, rows)
    kept = {row.pk for row in chosen if row}
    gone = [row.pk for row in rows if row.pk not in kept]
    Search.objects.filter(pk__in=gone).delete()
    stored = []
    for place, (row, wanted) in enumerate(zip(chosen, changes.searches, strict=True), 1):
        stored.append(_store(row or Search(user=user), {**wanted, "position": place}))
    return bool(gone) or any(stored)


def _rows_for(searches: Sequence[Mapping[str, Any]], rows: Sequence[Search]) -> list[Search | None]:
    """The stored row each one means, by its key or else by its name; None for a new one."""
    free = {row.pk: row for row in rows}
    by_key = [free.pop(wanted.get("pk", 0), None) for wanted in searches]
    named = {row.name: row for row in free.values()}
    return [
        row or named.pop(wanted["name"], None) for row, wanted in zip(by_key, searches, strict=True)
    ]


def _store(search: Search, values: Mapping[str, Any]) -> bool:
    new = search.pk is None
    changed = _assign(search, values)
    given = values.keys() - {"pk", "position"} if "pk" not in values or new else set(changed)
    if given and search.active:
        _refuse(search)
    if new:
        search.save()
    elif changed:
        search.save(update_fields=changed)
    return new or bool(changed)


def _refuse(search: Search) -> None:
    """A search that says something must let something through, but not everything."""
    if refused := refusal(search.terms()):
        name, reason = refused
        raise ProfileError(f"“{search.name}”, {name}: {reason}")


def _assign(row: models.Model, values: Mapping[str, Any]) -> list[str]:
    """Set the values that differ from the row's, its key apart; their names."""
    given = ((name, value) for name, value in values.items() if name != "pk")
    changed = [name for name, value in given if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed

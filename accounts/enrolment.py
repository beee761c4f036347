"""Making a user ready to receive, and changing what a profile says."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.identity import normalise_email, uid_of
from accounts.models import DeletedAddress, OptOutToken, Preferences, Search, User
from accounts.profiles import ProfileChanges


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The user, and whether the account is new."""

    user: User
    created: bool


def enrol(email: str, changes: ProfileChanges, *, staff: bool = False) -> Enrolled:
    """A user with preferences, searches and an opt-out token; made once, else changed.

    Only what `changes` gives is changed.  Two callers at once make one account.  Raises
    ValidationError for an address that is none.
    """
    with transaction.atomic():
        user, created = _user(email)
        if staff and not user.is_staff:
            user.is_staff = user.is_superuser = True
            user.save(update_fields=["is_staff", "is_superuser"])
        Preferences.objects.get_or_create(user=user)
        Preferences.objects.select_for_update().get(pk=user.pk)
        OptOutToken.objects.get_or_create(user=user, purpose=OptOutToken.Purpose.JOBS)
        if changes.preferences:
            Preferences.objects.filter(pk=user.pk).update(saved_at=Now(), **changes.preferences)
        _save_searches(user, changes)
    return Enrolled(user, created)


def address_hash(email: str) -> str:
    """A keyed hash of a normalised address: recognises it without keeping it."""
    address = normalise_email(email).encode()
    return hmac.new(settings.SECRET_KEY.encode(), b"deleted " + address, hashlib.sha256).hexdigest()


def _user(email: str) -> tuple[User, bool]:
    uid = uid_of(email)
    if found := User.objects.filter(pk=uid).first():
        return found, False
    deleted = DeletedAddress.objects.filter(pk=address_hash(email)).first()
    try:
        with transaction.atomic():
            seen_until = deleted.deleted_at if deleted else None
            return User.objects.create_user(email, jobs_from=seen_until), True
    except IntegrityError:
        return User.objects.get(pk=uid), False


def _save_searches(user: User, changes: ProfileChanges) -> None:
    if changes.searches is not None:
        names = [search["name"] for search in changes.searches]
        Search.objects.filter(user=user).exclude(name__in=names).delete()
        for position, search in enumerate(changes.searches, 1):
            _save_search(user, position, search["name"], search)
        return
    first = Search.objects.filter(user=user).order_by("position").first()
    if first is None:
        Search.objects.create(user=user, **changes.search)
    elif changes.search:
        Search.objects.filter(pk=first.pk).update(**changes.search)


def _save_search(user: User, position: int, name: str, values: Mapping[str, Any]) -> None:
    changes = {**values, "position": position}
    if not Search.objects.filter(user=user, name=name).update(**changes):
        Search.objects.create(user=user, **changes)

"""Keeping what somebody typed when it could not be saved because of signing out or in.

A form that wants this holds a hidden `owner`, which only this site can make; what is kept is shown
to that owner only, on the same path.
"""

from datetime import timedelta
from typing import Final

from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, QueryDict
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.owners import owner_mark
from accounts.sessions import UNSAVED, UNSAVED_OWNER

FIELD: Final = UNSAVED_OWNER
_KEY: Final = UNSAVED
_SALT: Final = "accounts.forms.unsaved"
_SIGNER: Final = Signer(salt=_SALT)
_KEPT_FOR: Final = timedelta(days=1)
_MOST: Final = 500_000  # characters; a session is no place for more


def owner_token(user: User) -> str:
    """Says whose form it is, without saying who that is; signed, so that it is a form of ours."""
    return _SIGNER.sign(owner_mark(user.pk))


def is_owner(user: User, data: QueryDict) -> bool:
    """Whether the posted form was made for this user."""
    return constant_time_compare(data.get(FIELD, ""), owner_token(user))


def keep(request: HttpRequest) -> bool:
    """Keep the posted form in the session; False when it is none of ours, or too long."""
    try:
        _SIGNER.unsign(request.POST.get(FIELD, ""))
    except BadSignature:
        return False
    posted = request.POST.urlencode()
    if len(posted) > _MOST:
        return False
    request.session[_KEY] = {"path": request.path, "posted": posted}
    request.session.set_expiry(_KEPT_FOR)  # whoever it is of may have no account any more
    return True


def kept(request: HttpRequest, user: User) -> QueryDict | None:
    """What was kept for this user on this path; it stays until it is dropped."""
    found = request.session.get(_KEY)
    if not isinstance(found, dict) or found.get("path") != request.path:
        return None
    data = QueryDict(found["posted"])
    return data if is_owner(user, data) else None


def drop(request: HttpRequest) -> None:
    """Forget what was kept; the session lasts as long as any other again."""
    if request.session.pop(_KEY, None) is not None:
        request.session.set_expiry(None)

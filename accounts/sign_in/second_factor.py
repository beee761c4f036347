"""Whether staff have proven, in this session, to hold their second factor."""

import time
from typing import Final, Literal

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.http import HttpRequest

_LASTS: Final = 12 * 3600  # seconds; a session lasts longer

# Nothing to prove it by, not proven in this session, proven.
Standing = Literal["not enrolled", "not passed", "passed"]


def standing(request: HttpRequest) -> Standing:
    """How the signed-in user stands; at most one query.

    It is proven for twelve hours.  A factor that was removed counts no more, also in sessions that
    had passed it.
    """
    if not is_mfa_enabled(request.user, [Authenticator.Type.TOTP]):
        return "not enrolled"
    since = time.time() - _LASTS
    records = get_authentication_records(request, request.user)
    passed = any(record["method"] == "mfa" and record["at"] > since for record in records)
    return "passed" if passed else "not passed"


def may_administer(request: HttpRequest) -> bool:
    """Whether this session may enter the admin: active staff, second factor passed."""
    user = request.user
    return user.is_active and user.is_staff and standing(request) == "passed"


def record_enrolment(request: HttpRequest) -> None:
    """Whoever has just enrolled entered a code of the new factor: that passes it."""
    record_authentication(request, request.user, "mfa", type=Authenticator.Type.TOTP)

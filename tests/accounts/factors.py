"""Staff before and after they pass a second factor, step by step."""

import time
from typing import Any

from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY as WHOSE,
)
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY as METHODS
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.test import Client

from accounts.enrolment import enrol
from accounts.models import User
from accounts.profiles import ProfileChanges

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def staff(email: str = "staff@example.com") -> User:
    """A staff user who has not enrolled a second factor."""
    return enrol(email, ProfileChanges(), staff=True).user


def with_factor(user: User) -> Authenticator:
    """Enrol an authenticator app with the SECRET."""
    authenticator: Authenticator = TOTP.activate(user, SECRET).instance
    return authenticator


def totp_code(secret: str = SECRET) -> str:
    """What an authenticator app shows now."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def pass_factor(client: Client, user: User) -> None:
    """Let the client's session have passed the user's second factor."""
    session = client.session
    session[METHODS] = [{"method": "mfa", "at": time.time(), "type": "totp"}]
    session[WHOSE] = user.pk
    session.save()


def staff_client(user: User | None = None, **options: Any) -> Client:
    """A client, over https, that may enter the admin."""
    client = Client(headers={"x-forwarded-proto": "https"}, **options)
    who = user or staff()
    with_factor(who)
    client.force_login(who)
    pass_factor(client, who)
    return client

"""Signing in by a mailed code: one way for new and known addresses.

Nothing is looked up until the right code was entered, so nothing that happens before can tell
whether an address has an account.  Built on allauth's login stages, so that its second factor
follows; they are internals of allauth's, which is why its version is pinned.
"""

import secrets
import time
from typing import Any, Final, Self

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.internal.flows.login_by_code import LoginCodeVerificationProcess
from allauth.account.models import EmailAddress, Login
from allauth.account.stages import LoginByCodeStage, LoginStageController
from django.http import HttpRequest, HttpResponse

from accounts.boundaries import commit
from accounts.enrolment import Enrolled, enrol
from accounts.profiles import ProfileChanges
from accounts.sign_in.code_mail import send_code
from accounts.sign_in.codes import is_same
from accounts.sign_in.limits import allowed

_AGAIN_SECONDS: Final = 5 * 60  # asked for again so soon, the same code is mailed


class CodeProcess(LoginCodeVerificationProcess):  # type: ignore[misc]  # allauth is untyped
    """One address waiting, in one session, for its code to be entered."""

    @classmethod
    def start(cls, request: HttpRequest, email: str) -> Self:
        """Mail a code and wait for it in this session; raises MailDownError.

        A form sent twice brings the same code twice, so that either mail is the right one.
        """
        waiting = cls.waiting(request)
        if waiting and waiting.email == email and time.time() - waiting.begun < _AGAIN_SECONDS:
            process = waiting
        else:
            process = cls._begin(request, email)
        send_code(email, process.code)
        process.persist()
        return process

    @classmethod
    def waiting(cls, request: HttpRequest) -> Self | None:
        """The code this session waits for, or None; one that expired is forgotten."""
        stage = LoginStageController.enter(request, LoginByCodeStage.key)
        return cls(stage=stage).abort_if_invalid() if stage and stage.state else None

    @classmethod
    def _begin(cls, request: HttpRequest, email: str) -> Self:
        login = Login(user=None, email=email)
        login.state["stages"] = {"current": LoginByCodeStage.key}
        stage = LoginByCodeStage(LoginStageController(request, login), request, login)
        stage.state.update(cls.initial_state(user=None, email=email), key=secrets.token_hex(8))
        process = cls(stage=stage)
        process.generate_code()
        return process

    @property
    def email(self) -> str:
        """The normalised address."""
        return str(self.state["email"])

    @property
    def begun(self) -> float:
        """When the code was made, in seconds since the epoch."""
        return float(self.state["at"])

    def may_try(self) -> bool:
        """Count one try; False when this code had all of its tries.

        Counted in the shared cache: many tries at once in one session are counted, too.
        """
        return allowed(self.request, "confirm_login_code", key=self.state["key"])

    def is_right(self, entered: str) -> bool:
        """Whether this is the code, in digits of any script, with or without its dash."""
        return is_same(entered, self.code)

    def finish(self, redirect_url: str | None) -> HttpResponse:
        """Make or find the user and sign in, or go on to the second factor."""
        enrolled = _enrol_verified(self.email)
        user = enrolled.user
        # The code was proven just now: that is as good as asking for another one.
        record_authentication(
            self.request, user, method="code", email=self.email, reauthenticated=True
        )
        login = Login(
            user=user, redirect_url=redirect_url, email=self.email, signup=enrolled.created
        )
        response: HttpResponse = perform_login(self.request, login)
        return response


def may_ask(request: HttpRequest, email: str) -> bool:
    """Count one request for a code; False above the limits per caller and per address."""
    return allowed(request, "request_login_code", key=email)


def _enrol_verified(email: str) -> Enrolled:
    """The user of a proven address, made when there is none; several callers make one."""
    with commit("sign-in: enrol"):
        enrolled = enrol(email, ProfileChanges())
        verified: dict[str, Any] = {"verified": True, "primary": True}
        EmailAddress.objects.update_or_create(user=enrolled.user, email=email, defaults=verified)
    return enrolled

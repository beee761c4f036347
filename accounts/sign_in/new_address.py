"""Proving a new address: a code is mailed to it, and entered in the session that asked.

What waits stands in the session alone, so it ends with that: by signing out, here or everywhere.
"""

import secrets
import time
from dataclasses import asdict, dataclass
from typing import Final, Self

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest

from accounts.sessions import NEW_ADDRESS
from accounts.sign_in.codes import is_same, new_code
from accounts.sign_in.limits import allowed

AGAIN_SECONDS: Final = 5 * 60  # asked for again so soon, the same code is mailed


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAddress:
    """An address that waits, in one session, for its code; `begun` in seconds since the epoch."""

    email: str
    code: str
    begun: float
    key: str

    @classmethod
    def waiting(cls, session: SessionBase) -> Self | None:
        """What this session waits for; None when nothing, or not any more."""
        held = session.get(NEW_ADDRESS)
        found = cls(**held) if isinstance(held, dict) else None
        lasts = settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT
        return found if found and 0 <= time.time() - found.begun <= lasts else None

    @classmethod
    def begin(cls, session: SessionBase, email: str) -> tuple[Self, bool]:
        """What this session waits for from now on, and whether that is new to it."""
        found = cls.waiting(session)
        if found and found.email == email and time.time() - found.begun < AGAIN_SECONDS:
            return found, False
        begun = cls(email=email, code=new_code(), begun=time.time(), key=secrets.token_hex(8))
        session[NEW_ADDRESS] = asdict(begun)
        return begun, True

    def may_try(self, request: HttpRequest) -> bool:
        """Count one try; False when this code had all of its tries, also many at once."""
        return allowed(request, "confirm_login_code", key=self.key)

    def is_right(self, entered: str) -> bool:
        """Whether this is the code."""
        return is_same(entered, self.code)


def forget(session: SessionBase) -> None:
    """Wait for nothing any more."""
    session.pop(NEW_ADDRESS, None)

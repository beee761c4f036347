"""Where sessions are kept, whom they are about, and how they end.

A session ends by its row going: the next request of that browser finds none, and one that was
under way cannot store it again.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import connection
from django.http import QueryDict
from django.utils import timezone

from accounts.boundaries import commit
from accounts.identity import uid_of
from accounts.models import Session, User
from accounts.owners import owner_mark, owner_marks

NEW_ADDRESS: Final = "new_address"  # what a change of address waits for
UNSAVED: Final = "unsaved"  # a form that could not be saved
UNSAVED_OWNER: Final = "owner"

_HELD: Final = "SELECT FROM accounts_user WHERE uid = %s FOR KEY SHARE"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser in which somebody is signed in: since when, and whether it is the one that asks."""

    since: datetime
    here: bool


class SessionStore(DatabaseStore):
    """Django's sessions in the database, marked, and never stored of a user who is gone."""

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Our rows."""
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        """The row to store, with the marks of everybody in it."""
        row = super().create_model_instance(data)
        assert isinstance(row, Session)  # noqa: S101 -- of the class above
        row.about = marks_in(data)
        return row

    def save(self, must_create: bool = False) -> None:
        """Store it; raises UpdateError when it was ended, or its user deleted, meanwhile."""
        user_id = self._get_session(no_load=must_create).get(SESSION_KEY)  # type: ignore[attr-defined]
        with commit("session: store"):
            if user_id and not _hold(user_id):
                raise UpdateError
            super().save(must_create)


def marks_in(data: dict[str, Any]) -> list[str]:
    """Marks of everybody whom a session's data is about, sorted."""
    waiting = [data.get(LOGIN_SESSION_KEY), data.get(NEW_ADDRESS)]
    addresses = [held.get("email") for held in waiting if isinstance(held, dict)]
    marks = {owner_mark(uid_of(email)) for email in addresses if email}
    if user_id := data.get(SESSION_KEY):
        marks.add(owner_mark(user_id))
    if isinstance(form := data.get(UNSAVED), dict):  # its owner field was signed by us
        marks.add(QueryDict(form["posted"]).get(UNSAVED_OWNER, "").partition(":")[0])
    return sorted(marks - {""})


def end(user_id: str, *, keep: str | None = None) -> int:
    """End every session that is about a user, but the one with the key `keep`; how many ended.

    So a sign-in whose code was not entered yet ends, too, and what was typed and not saved.
    """
    rows = Session.objects.filter(about__overlap=owner_marks(user_id)).exclude(pk=keep)
    with commit("session: end"):
        return rows.delete()[0]


def move(session: SessionBase, user: User, *, from_id: str) -> None:
    """Let a browser stay signed in while the user gets another key, and end all others.

    What else the session held is forgotten, the second factor included.  Its key stays, so that a
    form sent twice finds the same session.  Call it last in the transaction that changes the key.
    """
    stays = {
        SESSION_KEY: user.pk,
        BACKEND_SESSION_KEY: session[BACKEND_SESSION_KEY],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    with commit("session: move"):
        end(from_id, keep=session.session_key)
        session.clear()
        session.update(stays)
        session.save()


def signed_in(user_id: str, *, asking: str | None) -> list[SignedIn]:
    """The browsers in which a user is signed in, the one with the session key `asking` first."""
    rows = Session.objects.filter(
        about__overlap=owner_marks(user_id), expire_date__gt=timezone.now()
    ).order_by("-begun_at")
    store = SessionStore()
    found = [
        SignedIn(row.begun_at, row.pk == asking)
        for row in rows
        if store.decode(row.session_data).get(SESSION_KEY) == user_id
    ]
    return sorted(found, key=lambda browser: not browser.here)


def _hold(user_id: str) -> bool:
    """Whether the user is there, and then until the surrounding transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_HELD, [user_id])
        return cursor.fetchone() is not None

"""Stopping mail by the link in it, and lifting that again."""

import re
from typing import Final, Literal

from django.db import IntegrityError

from accounts.boundaries import commit
from accounts.models import OptOutToken, Suppression

# Of the mail that a token belongs to: nobody's, coming, stopped by the user, stopped by others.
Standing = Literal["unknown", "on", "opted_out", "stopped"]

_STANDINGS: Final[dict[str | None, Standing]] = {None: "on", "opted_out": "opted_out"}
_TRIES: Final = 3
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what a link may hold; NUL upsets a database


def opt_out(token: str) -> bool:
    """Stop job mail to whoever the token belongs to; False for a token nobody has.

    Idempotent.  Once this has committed, no send begins its reading of the user.
    """
    for _ in range(_TRIES):
        found = OptOutToken.objects.filter(pk=token).first() if _TOKEN.fullmatch(token) else None
        if found is None:
            return False
        try:
            with commit("mail: opt out"):
                Suppression.objects.get_or_create(
                    user_id=found.user_id, defaults={"reason": Suppression.Reason.OPTED_OUT}
                )
        except IntegrityError:  # the account was deleted or moved in between: the token tells
            continue
        return True
    return False


def stop_by_staff(user_id: str) -> bool:
    """Stop job mail to a user in the name of staff; False when it was stopped already."""
    with commit("mail: stop by staff"):
        _, new = Suppression.objects.get_or_create(
            user_id=user_id, defaults={"reason": Suppression.Reason.STAFF}
        )
    return new


def opt_in(token: str) -> bool:
    """Lift the user's own opt-out; False when there was none (a bounce or staff stays)."""
    if not _TOKEN.fullmatch(token):
        return False
    with commit("mail: opt in"):
        gone, _ = Suppression.objects.filter(
            user__opt_out_tokens__token=token, reason=Suppression.Reason.OPTED_OUT
        ).delete()
    return gone > 0


def standing(token: str) -> Standing:
    """How mail stands with whoever the token belongs to."""
    tokens = OptOutToken.objects.filter(pk=token if _TOKEN.fullmatch(token) else "")
    row = tokens.values_list("user__suppression__reason").first()
    if row is None:
        return "unknown"
    return _STANDINGS.get(row[0], "stopped")

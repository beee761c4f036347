"""Stopping mail by the link in it, and lifting that again."""

from accounts.models import OptOutToken, Suppression


def opt_out(token: str) -> bool:
    """Stop job mail to whoever the token belongs to; False for a token nobody has.

    Idempotent.  Once this has committed, no send begins its reading of the user.
    """
    found = OptOutToken.objects.filter(pk=token).first()
    if found is None:
        return False
    Suppression.objects.get_or_create(
        user_id=found.user_id, defaults={"reason": Suppression.Reason.OPTED_OUT}
    )
    return True


def opt_in(token: str) -> bool:
    """Lift the user's own opt-out; False when there was none (a bounce or staff stays)."""
    gone, _ = Suppression.objects.filter(
        user__opt_out_tokens__token=token, reason=Suppression.Reason.OPTED_OUT
    ).delete()
    return gone > 0

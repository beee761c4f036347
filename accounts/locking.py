"""Taking hold of a whole account, in the one order in which everybody does."""

from accounts.boundaries import commit
from accounts.models import Preferences, User


def lock_account(user_id: str) -> User | None:
    """The user, locked with the preferences until the surrounding transaction ends, or None.

    Preferences first, then the user: whoever wants both takes them in this order.  Nobody can add
    anything to the user, or hold what belongs to one, while this lock lasts; what is read after it
    is read afresh.
    """
    with commit("account: lock"):
        Preferences.objects.select_for_update(of=("self",)).filter(pk=user_id).first()
        return User.objects.select_for_update(of=("self",)).filter(pk=user_id).first()

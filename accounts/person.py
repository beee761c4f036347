"""Reading one user, as the plain value that decisions about mail take."""

from dataclasses import dataclass
from datetime import date, datetime

from accounts.boundaries import commit
from accounts.models import OptOutToken, Preferences, Search, Suppression
from accounts.search_fields import too_open
from accounts.terms import DeliveryTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Whom a mail would go to, as read in the transaction that decides about it."""

    user_id: str
    email: str
    is_active: bool
    suppressed: bool
    terms: DeliveryTerms
    last_digest_on: date | None
    opt_out_token: str
    joined_at: datetime
    jobs_from: datetime | None = None

    @property
    def may_be_mailed(self) -> bool:
        """Neither deactivated nor opted out."""
        return self.is_active and not self.suppressed


def read_person(user_id: str, *, lock: bool = False) -> Person | None:
    """The user as of now, or None when there is no such user.

    With `lock` the preferences row stays locked until the transaction ends, so that caps and the
    digest date of one user are decided by one process at a time.  The lock is taken by a statement
    of its own: what is read after it is read afresh.
    """
    if lock:
        locked = Preferences.objects.select_for_update(of=("self",)).filter(pk=user_id)
        if not locked.values_list("pk").first():
            return None
    row = Preferences.objects.select_related("user").filter(pk=user_id).first()
    if row is None:
        return None
    return Person(
        user_id=user_id,
        email=row.user.email,
        is_active=row.user.is_active,
        suppressed=Suppression.objects.filter(pk=user_id).exists(),
        terms=row.terms(),
        last_digest_on=row.last_digest_on,
        opt_out_token=_opt_out_token(user_id),
        joined_at=row.user.date_joined,
        jobs_from=row.user.jobs_from,
    )


def is_set_up(user_id: str) -> bool:
    """Whether any search of the user is switched on and says what it looks for.

    While there is none nothing can be mailed.
    """
    rows = Search.objects.filter(user_id=user_id, active=True)
    return any(too_open(row.terms()) is None for row in rows)


def _opt_out_token(user_id: str) -> str:
    """The user's token, made when they have none yet."""
    jobs = OptOutToken.Purpose.JOBS
    found = OptOutToken.objects.filter(user_id=user_id, purpose=jobs).first()
    if found is None:
        with commit("person: make a token"):
            found, _ = OptOutToken.objects.get_or_create(user_id=user_id, purpose=jobs)
    return found.token

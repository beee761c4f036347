"""Where a list goes on: a place in an order, not a count, so that new rows shift nothing."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Self

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet

from deliveries.models import Delivery

Section = Literal["waiting", "sent"]

_SALT: Final = "deliveries.pages.keyset"
# What each list is ordered by, the greatest first; equal ones by the job, which is one's own once.
_KEY: Final[dict[Section, str]] = {"waiting": "score", "sent": "changed_at"}


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last row of a list that was shown."""

    section: Section
    value: int | datetime
    job_id: str

    @classmethod
    def read(cls, written: str) -> Self | None:
        """What `written` says; None for what we never wrote."""
        try:
            section, value, job_id = Signer(salt=_SALT).unsign_object(written)
        except (BadSignature, ValueError):
            return None
        return cls(section, datetime.fromisoformat(value) if section == "sent" else value, job_id)

    def write(self) -> str:
        """A word for an address; it names nobody."""
        value = self.value.isoformat() if isinstance(self.value, datetime) else self.value
        signed: str = Signer(salt=_SALT).sign_object([self.section, value, self.job_id])
        return signed


def rows_after(
    rows: "QuerySet[Delivery]", section: Section, cursor: Cursor | None, most: int
) -> tuple[list[Delivery], Cursor | None]:
    """The `most` rows that come next in this list, and where it goes on (None: it ends)."""
    key = _KEY[section]
    if cursor is not None:
        equal = Q(**{key: cursor.value}, job_id__gt=cursor.job_id)
        rows = rows.filter(Q(**{f"{key}__lt": cursor.value}) | equal)
    found = list(rows.order_by(f"-{key}", "job_id")[: most + 1])
    shown = found[:most]
    if len(found) <= most:
        return shown, None
    return shown, Cursor(section, getattr(shown[-1], key), shown[-1].job_id)

"""Where a list goes on: a place in an order, not a count, so that new rows shift nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Self

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet

from deliveries.models import Delivery

Section = Literal["waiting", "sent"]

_SALT: Final = "deliveries.pages.keyset"
# What each list is ordered by, the greatest first; equal ones by the job, which is one's own once.
_KEYS: Final[dict[Section, tuple[str, ...]]] = {
    "waiting": ("score",),
    "sent": ("changed_at", "score"),
}


@dataclass(frozen=True, slots=True)
class Cursor:
    """The last row of a list that was shown: its values of what the list is ordered by."""

    section: Section
    values: tuple[int | datetime, ...]
    job_id: str

    @classmethod
    def read(cls, written: str) -> Self | None:
        """What `written` says; None for what we never wrote, or would not write any more."""
        try:
            section, values, job_id = Signer(salt=_SALT).unsign_object(written)
            read = tuple(datetime.fromisoformat(v) if isinstance(v, str) else v for v in values)
        except (BadSignature, ValueError, TypeError):
            return None
        return cls(section, read, job_id) if len(read) == len(_KEYS.get(section, ())) else None

    def write(self) -> str:
        """A word for an address; it names nobody."""
        values = [v.isoformat() if isinstance(v, datetime) else v for v in self.values]
        signed: str = Signer(salt=_SALT).sign_object([self.section, values, self.job_id])
        return signed


def rows_after(
    rows: "QuerySet[Delivery]", section: Section, cursor: Cursor | None, most: int
) -> tuple[list[Delivery], Cursor | None]:
    """The `most` rows that come next in this list, and where it goes on (None: it ends)."""
    keys = _KEYS[section]
    if cursor is not None:
        rows = rows.filter(_after(dict(zip(keys, cursor.values, strict=True)), cursor.job_id))
    found = list(rows.order_by(*(f"-{key}" for key in keys), "job_id")[: most + 1])
    shown = found[:most]
    if len(found) <= most:
        return shown, None
    last = shown[-1]
    return shown, Cursor(section, tuple(getattr(last, key) for key in keys), last.job_id)


def _after(values: Mapping[str, int | datetime], job_id: str) -> Q:
    """The rows after the one with these values: smaller in the first value that differs."""
    equal, after = Q(), Q()
    for key, value in values.items():
        after |= equal & Q(**{f"{key}__lt": value})
        equal &= Q(**{key: value})
    return after | (equal & Q(job_id__gt=job_id))

"""Who looks at a page: all that pages ask of a user, read by one query."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from accounts.models import User
from accounts.search_fields import too_open
from accounts.terms import SEARCH_FIELDS, DeliveryTerms, SearchTerms, terms_of

_SEARCH: Final = ("pk", *SEARCH_FIELDS)
_TERMS: Final = tuple(DeliveryTerms.__dataclass_fields__)
_ALSO: Final = ("is_active", "jobs_from", "suppression__reason")


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A stored search; `place` counts from 1, as the form over the searches does."""

    pk: int
    place: int
    terms: SearchTerms

    @property
    def looks(self) -> bool:
        """Whether it finds anything: switched on, and described."""
        return self.terms.active and too_open(self.terms) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """A user as pages need one.  `stopped` is why no job mail goes to them, "" while it does."""

    user_id: str
    is_active: bool
    stopped: str
    jobs_from: datetime | None
    terms: DeliveryTerms
    searches: tuple[OwnSearch, ...]

    @property
    def active(self) -> tuple[OwnSearch, ...]:
        """The searches that are switched on."""
        return tuple(search for search in self.searches if search.terms.active)


def viewer(user_id: str) -> Viewer:
    """The user with this key; raises User.DoesNotExist when there is none.

    One who has no preferences or searches yet has those that everybody begins with.
    """
    names = [f"preferences__{name}" for name in _TERMS] + [f"searches__{name}" for name in _SEARCH]
    rows = list(
        User.objects.filter(pk=user_id).order_by("searches__position").values(*_ALSO, *names)
    )
    if not rows:
        raise User.DoesNotExist
    first = rows[0]
    return Viewer(
        user_id=user_id,
        is_active=first["is_active"],
        stopped=first["suppression__reason"] or "",
        jobs_from=first["jobs_from"],
        terms=_delivery(first),
        searches=tuple(
            _search(row, place) for place, row in enumerate(rows, 1) if row["searches__pk"]
        ),
    )


def _delivery(row: dict[str, Any]) -> DeliveryTerms:
    if row["preferences__mode"] is None:
        return DeliveryTerms()
    return DeliveryTerms(**{name: row[f"preferences__{name}"] for name in _TERMS})


def _search(row: dict[str, Any], place: int) -> OwnSearch:
    values = {name: row[f"searches__{name}"] for name in _SEARCH}
    return OwnSearch(values.pop("pk"), place, terms_of(values))

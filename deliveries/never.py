"""Never this country, never this word: one more filter in the searches of a user, and undone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.boundaries import commit
from accounts.models import Preferences, Search, User
from accounts.profiles import ProfileChanges
from deliveries.avoiding import Field, is_avoided, objection, read_avoided
from deliveries.people import save_profile


@dataclass(frozen=True, slots=True)
class Avoided:
    """What came of it: the names of the active searches that avoid the entry from now on, those
    that did before, and those left as they were, with the reason; `added` are the keys of the
    first."""

    field: Field
    entry: str
    added: tuple[int, ...]
    now_in: tuple[str, ...]
    was_in: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


def avoid(user: User, field: Field, written: str, *, now: datetime) -> Avoided:
    """Let every active search of the user avoid a country or a word.

    A search that asks for it, or would find nothing any more, is left as it is.  Edits made
    meanwhile stay.  Raises ProfileError for what is no country or word, Preferences.DoesNotExist
    when the user is gone.
    """
    entry = read_avoided(field, written)
    with commit("never: avoid"):
        rows = _held(user)
        active = {row.pk: row.terms() for row in rows if row.active}
        was_in = [pk for pk, terms in active.items() if is_avoided(terms, field, entry)]
        asked = {pk: objection(active[pk], field, entry) for pk in active if pk not in was_in}
        added = [pk for pk, reason in asked.items() if reason is None]
        lists = {row.pk: [*getattr(row, field), entry] for row in rows if row.pk in added}
        _save(user, rows, field, lists, now)
    return Avoided(
        field,
        entry,
        added=tuple(added),
        now_in=tuple(active[pk].name for pk in added),
        was_in=tuple(active[pk].name for pk in was_in),
        left=tuple((active[pk].name, reason) for pk, reason in asked.items() if reason),
    )


def allow(user: User, field: Field, entry: str, searches: Iterable[int], *, now: datetime) -> bool:
    """Take the entry out of those of the user's searches that have these keys; False: out already.

    Nothing else changes.  Raises ProfileError when a search would then let every job through,
    Preferences.DoesNotExist when the user is gone.
    """
    wanted = frozenset(searches)
    with commit("never: allow"):
        rows = _held(user)
        lists = {
            row.pk: [each for each in getattr(row, field) if each != entry]
            for row in rows
            if row.pk in wanted and entry in getattr(row, field)
        }
        _save(user, rows, field, lists, now)
    return bool(lists)


def _held(user: User) -> list[Search]:
    """The searches, with the preferences locked as every change of searches does."""
    Preferences.objects.select_for_update().get(pk=user.pk)
    return list(Search.objects.filter(user=user).order_by("position"))


def _save(
    user: User, rows: list[Search], field: Field, lists: Mapping[int, list[str]], now: datetime
) -> None:
    if not lists:
        return
    searches: list[dict[str, Any]] = [{"pk": row.pk, "name": row.name} for row in rows]
    for search in searches:
        if search["pk"] in lists:
            search[field] = lists[search["pk"]]
    save_profile(user.email, ProfileChanges(searches=tuple(searches)), now=now)

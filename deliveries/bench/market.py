"""Invented users and jobs in the database, as many as a measurement asks for."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.boundaries import commit
from accounts.identity import uid_of
from accounts.models import Preferences, Search, User
from accounts.terms import SearchTerms
from jobs.invented import postings, searches
from jobs.store import store

_CHUNK: Final = 1_000
_AGE: Final = timedelta(hours=12)


def add_users(count: int) -> None:
    """So many users with one search each; their mail would wait for a digest, so none is sent."""
    wanted = searches(count)
    for start in range(0, count, _CHUNK):
        _add(start, wanted[start : start + _CHUNK])


def add_jobs(count: int, *, now: datetime) -> None:
    """So many fresh jobs, stored as a source's would be."""
    store(postings(count, now=now, span=_AGE), source="invented", trust=0, now=now)


def _add(start: int, wanted: Sequence[SearchTerms]) -> None:
    emails = [f"user{start + place}@bench.invalid" for place in range(len(wanted))]
    users = [User(uid=uid_of(email), email=email, password="!") for email in emails]  # noqa: S106
    with commit("bench: users"):
        User.objects.bulk_create(users)
        Preferences.objects.bulk_create(Preferences(user=user, mode="daily") for user in users)
        Search.objects.bulk_create(
            Search(user=user, position=1, **_fields(terms))
            for user, terms in zip(users, wanted, strict=True)
        )


def _fields(terms: SearchTerms) -> dict[str, Any]:
    values = {name: getattr(terms, name) for name in SearchTerms.__dataclass_fields__}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }

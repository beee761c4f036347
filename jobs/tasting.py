"""Thumbs: given, changed, taken back, and condensed at once into the user's taste."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from accounts.boundaries import commit
from accounts.models import Search, User
from jobs.models import Job, Taste, Thumb
from jobs.scoring import taste

MOST_EXAMPLES: Final = 6


def give(user_id: str, job_id: str, *, up: bool, title: str, now: datetime) -> bool:
    """Let a user like (`up`) or turn down a job of this title; False: user or job is gone.

    Idempotent; a thumb the other way replaces the first.  Scores given before stay as they are.
    """
    with commit("taste: thumb"):
        if not (_hold(user_id) and Job.objects.filter(pk=job_id).exists()):
            return False
        values = {"up": up, "title": title, "given_at": now}
        thumb, new = Thumb.objects.get_or_create(user_id=user_id, job_id=job_id, defaults=values)
        if new or thumb.up != up:
            Thumb.objects.filter(pk=thumb.pk).update(**values)
            _condense(user_id, now)
    return True


def take_back(user_id: str, job_id: str, *, now: datetime) -> bool:
    """Forget a thumb as if it had not been given; False when there was none."""
    with commit("taste: take back"):
        gone = _hold(user_id) and Thumb.objects.filter(user_id=user_id, job_id=job_id).delete()[0]
        if gone:
            _condense(user_id, now)
    return bool(gone)


def reset(user_id: str) -> int:
    """Forget all thumbs of a user and what they came to; how many there were."""
    with commit("taste: reset"):
        _hold(user_id)
        gone, _ = Thumb.objects.filter(user_id=user_id).delete()
        Taste.objects.filter(pk=user_id).delete()
    return gone


def tastes_of(user_ids: Sequence[str]) -> dict[str, taste.Taste]:
    """The tastes of those of these users who have one, by user."""
    rows = Taste.objects.filter(pk__in=user_ids).exclude(terms={})
    return {row.pk: taste.Taste(row.terms) for row in rows}


def thumbs_on(user_id: str, job_ids: Sequence[str]) -> dict[str, bool]:
    """Which of these jobs the user liked (True) or turned down (False)."""
    rows = Thumb.objects.filter(user_id=user_id, job_id__in=job_ids)
    return dict(rows.values_list("job_id", "up"))


def examples_of(user_id: str, most: int = MOST_EXAMPLES) -> taste.Examples:
    """Titles of the jobs that a user liked and turned down last, for a model to learn from."""
    return taste.examples_of(_thumbs(user_id), most)


def _hold(user_id: str) -> bool:
    """Let nobody else change the user's thumbs until the transaction ends; False: no such user."""
    users = User.objects.select_for_update(no_key=True, of=("self",))
    return users.filter(pk=user_id).first() is not None


def _thumbs(user_id: str) -> list[taste.Thumb]:
    """The user's newest thumbs, the newest first."""
    rows = Thumb.objects.filter(user_id=user_id).order_by("-given_at", "-pk")
    return [taste.Thumb(row.title, row.up) for row in rows[: taste.MOST_THUMBS]]


def _condense(user_id: str, now: datetime) -> None:
    """Work the taste out anew; thumbs beyond the newest count no more and go."""
    newest = Thumb.objects.filter(user_id=user_id).order_by("-given_at", "-pk")
    kept = list(newest.values_list("pk", flat=True)[: taste.MOST_THUMBS])
    Thumb.objects.filter(user_id=user_id).exclude(pk__in=kept).delete()
    searches = Search.objects.filter(user_id=user_id, active=True)
    own = taste.own_words(search.terms() for search in searches)
    terms = taste.taste_of(_thumbs(user_id), own).terms
    Taste.objects.update_or_create(pk=user_id, defaults={"terms": terms, "changed_at": now})

"""What the admin's history says about a user: its lines name rows by keys that hold the uid."""

from django.contrib.admin.models import LogEntry
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Concat, Substr

from accounts.boundaries import commit


def about(user_id: str) -> "QuerySet[LogEntry]":
    """What staff did to a user: lines keyed by the user, or by the user and a job.

    A uid may hold a `_`, a job's id begins with its marketplace.
    """
    return LogEntry.objects.filter(object_id__regex=rf"^{user_id}(_[a-z0-9.-]+:.*)?$")


def forget(user_id: str) -> int:
    """Keep that staff did something to a user, not to whom; how many lines were changed."""
    with commit("staff log: forget"):
        return about(user_id).update(
            object_id="", object_repr="a deleted account", change_message=""
        )


def rekey(user_id: str, new_id: str) -> int:
    """Let the lines about a user lead to the rows under their new keys; how many were changed."""
    rest = Substr(F("object_id"), len(user_id) + 1)
    with commit("staff log: rekey"):
        return about(user_id).update(object_id=Concat(Value(new_id), rest))

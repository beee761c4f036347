"""How things stand for a user, as pages tell it: nothing of what is inside, nothing of others."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection

from accounts.viewer import Viewer, viewer
from deliveries.running.liveness import Signs
from deliveries.standing.words import Notice as Notice
from deliveries.standing.words import Works, notices

_WORKS: Final = """
SELECT (SELECT finished_at FROM deliveries_run WHERE kind = 'scan' AND finished_at IS NOT NULL
        ORDER BY started_at DESC LIMIT 1),
       (SELECT min(asked_at) FROM deliveries_wantedrun WHERE begun_at IS NULL),
       (SELECT summary ->> 'mail' FROM deliveries_run WHERE finished_at IS NOT NULL
        ORDER BY finished_at DESC LIMIT 1),
       (SELECT array_agg(state) FROM jobs_sourcestate),
       (SELECT max(succeeded_at) FROM jobs_sourcestate WHERE state <> 'off')
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What to tell (nothing while all is well), when jobs were last looked for, and to whom."""

    notices: tuple[Notice, ...]
    looked_at: datetime | None
    viewer: Viewer


def standing(user_id: str, *, now: datetime) -> Standing:
    """What this user should see now, by two queries; raises User.DoesNotExist."""
    who, works = viewer(user_id), _works(now)
    return Standing(notices(who, works, now), works.signs.last_scan, who)


def last_look(*, now: datetime) -> datetime | None:
    """When jobs were last looked for, by one query; None when nobody has looked yet."""
    return _works(now).signs.last_scan


def _works(now: datetime) -> Works:
    with connection.cursor() as cursor:
        cursor.execute(_WORKS)
        last_scan, waiting, mail, sources, read_at = cursor.fetchone()
    return Works(
        signs=Signs(now=now, oldest_waiting=waiting, last_scan=last_scan),
        mail_is_down=mail == "down",
        sources=sources or (),
        read_at=read_at,
    )

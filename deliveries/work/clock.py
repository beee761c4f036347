"""The time: the database's, so that every process agrees; development may move it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from django.db import connection


@dataclass(frozen=True, slots=True)
class Clock:
    """The database's clock, moved by a constant."""

    offset: timedelta = timedelta()

    @classmethod
    def set_to(cls, moment: datetime) -> Self:
        """A clock that shows `moment` now and goes on from there."""
        return cls(moment - database_time())

    def now(self) -> datetime:
        """The present moment, aware, UTC."""
        return database_time() + self.offset


def database_time() -> datetime:
    """The real present moment by the database's clock, also inside a long transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment

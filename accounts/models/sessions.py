"""Sessions of browsers, which know whom they are about."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Now


class Session(AbstractBaseSession):
    """One browser's session.

    `about` marks everybody whose data it holds (`accounts.owners`): who is signed in, the address
    that a code was mailed to, whose form was kept.  So it is found when one of them leaves.
    """

    about = ArrayField(models.CharField(max_length=64), default=list)
    begun_at = models.DateTimeField(db_default=Now())

    class Meta(AbstractBaseSession.Meta):
        """Table-wide rules."""

        abstract = False
        indexes = (GinIndex(fields=["about"], name="session_about"),)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A session that is stored again keeps its beginning."""
        if kwargs.get("force_update"):
            kwargs["update_fields"] = ("session_data", "expire_date", "about")
        super().save(*args, **kwargs)

"""How far the jobs have been judged for each user."""

from django.conf import settings
from django.db import models


class Watermark(models.Model):
    """Every job of a revision up to `judged_to` has an outcome for this user's searches.

    It counts only while `judged_version` is the `version` of the searches, which a trigger of the
    database moves on with every change of them, whoever makes it.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True)
    version = models.BigIntegerField(default=1, db_default=1)
    judged_version = models.BigIntegerField(default=0, db_default=0)
    judged_to = models.BigIntegerField(default=0, db_default=0)
    judged_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.judged_to}"

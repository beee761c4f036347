"""What users said of the jobs they got, and what that comes to."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from accounts.checks_sql import few_values, values_between
from jobs.models.job import Job
from jobs.scoring.taste import MOST_A_TERM, MOST_TERMS


class Thumb(models.Model):
    """That a user liked a job, or turned it down: the last word on it counts.

    Of the post it keeps what the ledger keeps, too: the title.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="thumbs")
    job = models.ForeignKey(Job, models.PROTECT, related_name="thumbs")
    up = models.BooleanField()
    title = models.CharField(max_length=1000, blank=True)
    given_at = models.DateTimeField()

    class Meta:
        """Table-wide rules."""

        constraints = (models.UniqueConstraint(name="thumb_once", fields=["user", "job"]),)
        indexes = (models.Index(fields=["user", "given_at"], name="thumb_of_user"),)

    def __str__(self) -> str:
        return "up" if self.up else "down"


class Taste(models.Model):
    """What a user's thumbs come to: words with the points by which each moves later scores."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True)
    terms = models.JSONField(default=dict)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Table-wide rules."""

        constraints = (
            few_values("taste_terms_are_few", "terms", MOST_TERMS),
            values_between("taste_terms_are_bounded", "terms", -MOST_A_TERM, MOST_A_TERM),
        )

    def __str__(self) -> str:
        return f"{len(self.terms)} words"

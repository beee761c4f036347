"""Scores with reasons: once for each user and job, ever."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q, TextField, Value
from django.db.models.functions import Concat, Now
from django.db.models.lookups import Exact

from accounts.checks_sql import between
from accounts.models import Search
from jobs.models.job import Job


class Verdict(models.Model):
    """How well a job fits a user, by the user's best-fitting search."""

    id = models.CharField(primary_key=True, max_length=600)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="verdicts")
    job = models.ForeignKey(Job, models.PROTECT, related_name="verdicts")
    search = models.ForeignKey(Search, models.SET_NULL, null=True, related_name="verdicts")
    search_name = models.CharField(max_length=80)
    score = models.PositiveSmallIntegerField()
    # Part of the score to whole points (jobs.scoring.parts); empty in verdicts from before these.
    parts = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))
    reasons = ArrayField(models.TextField(), default=list)
    concerns = ArrayField(models.TextField(), default=list)
    # Filter name to [what was wanted, what the posting said], as compared at the time.
    compared = models.JSONField(default=dict)
    scorer = models.CharField(max_length=100)
    tokens_in = models.PositiveIntegerField(default=0, db_default=0)
    tokens_out = models.PositiveIntegerField(default=0, db_default=0)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, default=0, db_default=0)
    # Which instructions a model had, and what the local score was that bounds its own.
    prompt = models.CharField(max_length=20, blank=True, default="", db_default="")
    local_score = models.PositiveSmallIntegerField(null=True, blank=True)
    needs_review = models.BooleanField(default=False, db_default=False)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.UniqueConstraint(name="verdict_once", fields=["user", "job"]),
            models.CheckConstraint(
                name="verdict_id_is_of_pair",
                condition=Q(id=Concat(F("user_id"), Value("_"), F("job_id"))),
            ),
            between("verdict_score", "score", 0, 100),
            models.CheckConstraint(
                name="verdict_parts_are_an_object",
                condition=Exact(
                    Func(F("parts"), function="jsonb_typeof", output_field=TextField()),
                    Value("object"),
                ),
            ),
            between("verdict_local_score", "local_score", 0, 100),
            between("verdict_cost_usd", "cost_usd", 0),
        )

    def __str__(self) -> str:
        return f"{self.score}"

"""Calls of language models, what they cost, and who still waits for one."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now

from accounts.checks_sql import between
from jobs.models.job import Job


def _usd() -> "models.DecimalField[Any, Any]":
    return models.DecimalField(max_digits=12, decimal_places=6, default=0, db_default=Value(0))


class AiSpending(models.Model):
    """The money of one day (UTC): of one user, or of the installation, which has no user.

    `reserved_usd` is what calls under way may still cost at most; `over_usd` what providers took
    beyond what was reserved.
    """

    day = models.DateField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="ai_spending"
    )
    limit_usd = _usd()
    spent_usd = _usd()
    reserved_usd = _usd()
    over_usd = _usd()

    class Meta:
        """Table-wide rules."""

        verbose_name = "AI spending"
        verbose_name_plural = "AI spending"
        constraints = (
            models.UniqueConstraint(
                name="ai_spending_once_a_day", fields=["day", "user"], nulls_distinct=False
            ),
            models.CheckConstraint(
                name="ai_spending_within_limit",
                condition=Q(limit_usd__gte=F("spent_usd") + F("reserved_usd") - F("over_usd")),
            ),
            between("ai_spending_spent", "spent_usd", 0),
            between("ai_spending_reserved", "reserved_usd", 0),
            between("ai_spending_over", "over_usd", 0),
        )

    def __str__(self) -> str:
        return f"{self.day}: US$ {self.spent_usd:f}"


class AiCall(models.Model):
    """One request to a provider, written before it was made; no outcome: not known to have ended.

    Until then its reservation counts as spent; of no call it is known what was said in it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ai_calls")
    day = models.DateField()
    scorer = models.CharField(max_length=100)
    prompt = models.CharField(max_length=20)
    jobs = models.PositiveSmallIntegerField()
    reserved_usd = _usd()
    tokens_in = models.PositiveIntegerField(default=0, db_default=0)
    tokens_out = models.PositiveIntegerField(default=0, db_default=0)
    cost_usd = _usd()
    outcome = models.CharField(max_length=200, blank=True, default="", db_default="")
    asked_at = models.DateTimeField(db_default=Now())
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Table-wide rules."""

        verbose_name = "AI call"
        constraints = (
            models.CheckConstraint(
                name="ai_call_settled_has_outcome",
                condition=Q(settled_at=None, outcome="")
                | (Q(settled_at__isnull=False) & ~Q(outcome="")),
            ),
            models.CheckConstraint(
                name="ai_call_costs_when_settled",
                condition=Q(cost_usd=0) | Q(settled_at__isnull=False),
            ),
            between("ai_call_reserved", "reserved_usd", 0),
            between("ai_call_cost", "cost_usd", 0),
        )
        indexes = (models.Index(fields=["day"], name="ai_call_day"),)

    def __str__(self) -> str:
        return self.outcome or "under way, or never ended"


class AwaitedVerdict(models.Model):
    """A pair that a model has not judged: looked at again whatever the watermark says.

    `local` is the verdict that it has when nothing comes of it (keys as `jobs.verdicts.as_row`, and
    what a ledger row needs), so that it needs neither the post nor the search any more; `until`:
    when nobody would be told of the job any more (null: noted by a version that kept neither).
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="awaited")
    job = models.ForeignKey(Job, models.CASCADE, related_name="awaited")
    tries = models.PositiveSmallIntegerField(default=0, db_default=0)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)
    local = models.JSONField(default=dict, db_default=Value({}, models.JSONField()))

    class Meta:
        """Table-wide rules."""

        constraints = (models.UniqueConstraint(name="awaited_once", fields=["user", "job"]),)

    def __str__(self) -> str:
        return f"after {self.tries} tries"

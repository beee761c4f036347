"""Who is at work, what came of it, and how the mail provider is doing."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.checks_sql import between


class Lease(models.Model):
    """A lock that is a time, so that it heals itself; it saves money and guarantees nothing."""

    name = models.CharField(primary_key=True, max_length=40)
    token = models.CharField(max_length=64)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Visit(models.Model):
    """That a scan has begun to visit a user and has not ended: a kill leaves it behind."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+"
    )

    def __str__(self) -> str:
        return "visit"


class Run(models.Model):
    """One scan or digest: when it ran and what it reported."""

    kind = models.CharField(max_length=10, choices=[(k, k) for k in ("scan", "digest")])
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    summary = models.JSONField(default=dict)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(name="run_kind_known", condition=Q(kind__in=["scan", "digest"])),
        )
        indexes = (models.Index(fields=["kind", "-started_at"], name="run_latest"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.started_at:%Y-%m-%d %H:%M}"


class WantedRun(models.Model):
    """That a scan or digest was asked for, until it has been done; one of a kind."""

    kind = models.CharField(
        primary_key=True, max_length=10, choices=[(k, k) for k in ("scan", "digest")]
    )
    asked_at = models.DateTimeField()
    begun_at = models.DateTimeField(null=True)

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(
                name="wanted_run_kind_known", condition=Q(kind__in=["scan", "digest"])
            ),
        )

    def __str__(self) -> str:
        return self.kind


class MailProvider(models.Model):
    """The breaker of one mail backend: whether it refuses everybody, and until when to wait."""

    name = models.CharField(primary_key=True, max_length=100)
    refusals_in_a_row = models.PositiveIntegerField(default=0)
    refused_user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    down = models.BooleanField(default=False)
    not_before = models.DateTimeField(null=True)
    detail = models.CharField(max_length=500, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        """Table-wide rules."""

        constraints = (between("mail_provider_refusals", "refusals_in_a_row", 0),)

    def __str__(self) -> str:
        return self.name

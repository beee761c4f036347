"""Rows of sources that were not, or only half, understood."""

from django.db import models
from django.db.models import Q

from jobs.postings.rejection import FORMS
from jobs.rows import KINDS

_FORMS = ("value", *FORMS)


class QuarantinedRow(models.Model):
    """One such row, as it came, and why; seen again, it is counted."""

    source = models.CharField(max_length=60)
    # How far the source was trusted, should the row be understood later.
    trust = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20, choices=[(kind, kind) for kind in KINDS])
    reason = models.CharField(max_length=500)
    # The job that was stored of a half-understood row.
    job_id = models.CharField(max_length=150, blank=True, default="", db_default="")
    # How `raw` is read: a value as JSON, or a text that was no JSON, CSV or page of jobs.
    form = models.CharField(
        max_length=10,
        choices=[(form, form) for form in _FORMS],
        default="value",
        db_default="value",
    )
    # The row as text; cut when it is not `whole`, and then only to be looked at.
    raw = models.TextField(blank=True)
    whole = models.BooleanField()
    # The same row, or another one of the same job with the same trouble, has the same.
    fingerprint = models.CharField(max_length=64)
    count = models.PositiveIntegerField(default=1, db_default=1)
    first_seen = models.DateTimeField()
    seen_at = models.DateTimeField()
    # What relative times in the row refer to.
    fetched_at = models.DateTimeField()
    # When its source's licence wants it gone; null: with the retention.
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Table-wide rules."""

        verbose_name = "quarantined row"
        constraints = (
            models.UniqueConstraint(name="quarantined_once", fields=["source", "fingerprint"]),
            models.CheckConstraint(name="quarantined_kind_known", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(name="quarantined_form_known", condition=Q(form__in=_FORMS)),
            models.CheckConstraint(name="quarantined_count", condition=Q(count__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"

"""Stored postings."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce, Least

from accounts.checks_sql import between, codes
from accounts.vocabulary import CATEGORIES, DURATIONS, JOB_TYPES, LEVELS
from jobs.postings.posting import Posting


def _money(digits: int = 14) -> "models.DecimalField[Any, Any]":
    return models.DecimalField(max_digits=digits, decimal_places=2, null=True, blank=True)


class NextRevision(models.Func):
    """The next number of the sequence that counts changes of jobs."""

    template = "nextval('jobs_job_revision')"
    output_field = models.BigIntegerField()


class Job(models.Model):
    """One job, whichever sources named it; `first_seen` is kept for ever."""

    id = models.CharField(primary_key=True, max_length=150)
    url = models.URLField(max_length=500, blank=True)
    title = models.CharField(max_length=1000)
    description = models.TextField(blank=True)
    skills = ArrayField(models.CharField(max_length=500), default=list, blank=True)
    job_type = models.CharField(max_length=10, null=True, blank=True)  # noqa: DJ001 -- not stated
    hourly_min = _money()
    hourly_max = _money()
    fixed_budget = _money()
    currency = models.CharField(max_length=3, null=True, blank=True)  # noqa: DJ001 -- not stated
    experience_level = models.CharField(  # noqa: DJ001 -- null is "not stated"
        max_length=20, null=True, blank=True
    )
    duration = models.CharField(max_length=10, null=True, blank=True)  # noqa: DJ001 -- not stated
    client_country = models.CharField(  # noqa: DJ001 -- null is "not stated"
        max_length=2, null=True, blank=True
    )
    client_spent = _money(16)
    client_hires = models.PositiveIntegerField(null=True, blank=True)
    client_hire_rate = models.DecimalField(max_digits=5, decimal_places=2, null=True, blank=True)
    client_payment_verified = models.BooleanField(null=True, blank=True)
    client_rating = models.DecimalField(max_digits=3, decimal_places=2, null=True, blank=True)
    proposals = models.PositiveIntegerField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True)
    posted_at_estimated = models.BooleanField(default=False, db_default=False)
    category = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 -- not stated
    # Where alone the worker may be, when the source has a field for it.
    worker_countries = ArrayField(models.CharField(max_length=2), default=list, blank=True)
    language = models.CharField(  # noqa: DJ001 -- "" is "cannot be told", null "not looked at"
        max_length=2, null=True, blank=True, editable=False
    )
    first_seen = models.DateTimeField()
    fetched_at = models.DateTimeField()
    source = models.CharField(max_length=60)
    # How far the source whose text is kept is trusted; a less trusted one never overwrites it.
    trust = models.PositiveSmallIntegerField()
    text_dropped_at = models.DateTimeField(null=True, blank=True)
    # What `jobs.fingerprints` knows the text by, kept when the text is dropped.
    text_key = models.BigIntegerField(null=True, editable=False)
    text_sketch = models.BinaryField(null=True)
    # What `jobs.text.prepared` made of the words, of which revision, and by which of its versions.
    prepared = models.BinaryField(null=True)
    prepared_of = models.BigIntegerField(null=True, editable=False)
    prepared_by = models.PositiveSmallIntegerField(null=True, editable=False)
    # When all that the post said must go (`jobs.licence`); null: with the retention.
    text_until = models.DateTimeField(null=True, blank=True)
    # Grows with every change of any job; `jobs.store` lets them become visible in this order.
    revision = models.BigIntegerField(db_default=NextRevision(), editable=False)
    # What freshness counts from: a source that re-dates a post cannot make it new again.
    dated_at = models.GeneratedField(
        expression=Least(F("first_seen"), Coalesce(F("posted_at"), F("first_seen"))),
        output_field=models.DateTimeField(),
        db_persist=True,
    )

    class Meta:
        """Table-wide rules."""

        constraints = (
            models.CheckConstraint(
                name="job_id_shape", condition=Q(id__regex=r"^[a-z0-9.-]+:[^_\s]+$")
            ),
            models.CheckConstraint(
                name="job_type_known",
                condition=Q(job_type__isnull=True) | Q(job_type__in=JOB_TYPES),
            ),
            models.CheckConstraint(
                name="job_level_known",
                condition=Q(experience_level__isnull=True) | Q(experience_level__in=LEVELS),
            ),
            models.CheckConstraint(
                name="job_duration_known",
                condition=Q(duration__isnull=True) | Q(duration__in=DURATIONS),
            ),
            models.CheckConstraint(
                name="job_url_is_https", condition=Q(url="") | Q(url__startswith="https://")
            ),
            models.CheckConstraint(
                name="job_country_shape",
                condition=Q(client_country__isnull=True) | Q(client_country__regex=r"^[A-Z]{2}$"),
            ),
            models.CheckConstraint(
                name="job_category_known",
                condition=Q(category__isnull=True) | Q(category__in=tuple(CATEGORIES)),
            ),
            models.CheckConstraint(
                name="job_language_shape",
                condition=Q(language__isnull=True) | Q(language__regex=r"^([a-z]{2})?$"),
            ),
            codes("job_worker_countries_shape", "worker_countries", "[A-Z]{2}"),
            models.CheckConstraint(
                name="job_text_key_has_sketch",
                condition=Q(text_key__isnull=True, text_sketch__isnull=True)
                | Q(text_key__isnull=False, text_sketch__isnull=False),
            ),
            models.CheckConstraint(
                name="job_prepared_is_whole",
                condition=Q(prepared=None, prepared_of=None, prepared_by=None)
                | Q(prepared__isnull=False, prepared_of__isnull=False, prepared_by__isnull=False),
            ),
            models.CheckConstraint(
                name="job_dropped_text_is_not_prepared",
                condition=Q(text_dropped_at=None) | Q(prepared=None),
            ),
            models.CheckConstraint(
                name="job_dropped_text_has_no_period",
                condition=Q(text_dropped_at__isnull=True) | Q(text_until__isnull=True),
            ),
            between("job_hourly_min", "hourly_min", 0),
            between("job_hourly_max", "hourly_max", 0),
            between("job_fixed_budget", "fixed_budget", 0),
            between("job_client_hire_rate", "client_hire_rate", 0, 100),
            between("job_client_rating", "client_rating", 0, 5),
        )
        indexes = (
            models.Index(fields=["dated_at"], name="job_fresh"),
            models.Index(fields=["revision"], name="job_revision"),
            models.Index(
                fields=["text_key", "first_seen"],
                name="job_same_text",
                condition=Q(text_key__isnull=False),
            ),
            models.Index(
                fields=["text_until"],
                name="job_text_until",
                condition=Q(text_until__isnull=False),
            ),
            models.Index(
                fields=["text_dropped_at"],
                name="job_text_dropped",
                condition=Q(text_dropped_at__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.title or self.pk

    def posting(self) -> Posting:
        """The plain value that decisions take."""
        values = {name: getattr(self, name) for name in Posting.__dataclass_fields__}
        lists = {name: tuple(values[name]) for name in ("skills", "worker_countries")}
        return Posting(**(values | lists))

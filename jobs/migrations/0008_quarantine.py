"""Rows that were not understood, and when a job's text must go."""

from django.db import migrations, models
from django.db.models import Q

KINDS = ("rejected", "half-understood")


class Migration(migrations.Migration):
    """Add the quarantine, and licence periods of jobs."""

    dependencies = (("jobs", "0007_text_fingerprint"),)
    operations = (
        migrations.AddField("Job", "text_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "Job",
            models.Index(
                condition=Q(text_until__isnull=False), fields=["text_until"], name="job_text_until"
            ),
        ),
        migrations.AddIndex(
            "Job",
            models.Index(
                condition=Q(text_dropped_at__isnull=False),
                fields=["text_dropped_at"],
                name="job_text_dropped",
            ),
        ),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=Q(text_dropped_at__isnull=True) | Q(text_until__isnull=True),
                name="job_dropped_text_has_no_period",
            ),
        ),
        migrations.CreateModel(
            "QuarantinedRow",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("source", models.CharField(max_length=60)),
                ("trust", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=20),
                ),
                ("reason", models.CharField(max_length=500)),
                (
                    "job_id",
                    models.CharField(blank=True, db_default="", default="", max_length=150),
                ),
                ("raw", models.TextField(blank=True)),
                ("whole", models.BooleanField()),
                ("fingerprint", models.CharField(max_length=64)),
                ("count", models.PositiveIntegerField(db_default=1, default=1)),
                ("first_seen", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("fetched_at", models.DateTimeField()),
                ("until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "quarantined row",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "fingerprint"), name="quarantined_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(kind__in=KINDS), name="quarantined_kind_known"
                    ),
                    models.CheckConstraint(condition=Q(count__gte=1), name="quarantined_count"),
                ],
            },
        ),
    )

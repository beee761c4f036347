"""What a job's text is known by."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the fingerprint, and an index to find the same text by."""

    dependencies = (("jobs", "0006_inbox"),)
    operations = (
        migrations.AddField("Job", "text_key", models.BigIntegerField(editable=False, null=True)),
        migrations.AddField("Job", "text_sketch", models.BinaryField(null=True)),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=models.Q(text_key__isnull=True, text_sketch__isnull=True)
                | models.Q(text_key__isnull=False, text_sketch__isnull=False),
                name="job_text_key_has_sketch",
            ),
        ),
        migrations.AddIndex(
            "Job",
            models.Index(
                condition=models.Q(text_key__isnull=False),
                fields=["text_key", "first_seen"],
                name="job_same_text",
            ),
        ),
    )

"""Where a source looks, since when, and when it is asked again."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add three columns to the states of sources."""

    dependencies = (("jobs", "0003_judged_at"),)
    operations = (
        migrations.AddField(
            "SourceState",
            "place",
            models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField("SourceState", "since", models.DateTimeField(blank=True, null=True)),
        migrations.AddField(
            "SourceState", "next_look_at", models.DateTimeField(blank=True, null=True)
        ),
    )

"""Whether a job's date was reckoned back from when it was fetched."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column; dates known before count as stated."""

    dependencies = (("jobs", "0004_source_health"),)
    operations = (
        migrations.AddField(
            "Job", "posted_at_estimated", models.BooleanField(db_default=False, default=False)
        ),
    )

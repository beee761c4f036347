"""When a watermark was made: one made by a clock that was ahead does not count."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column; marks without it count."""

    dependencies = (("jobs", "0002_watermarks"),)
    operations = (migrations.AddField("Watermark", "judged_at", models.DateTimeField(null=True)),)

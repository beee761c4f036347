"""The parts of each score."""

from django.db import migrations, models
from django.db.models.lookups import Exact


class Migration(migrations.Migration):
    """A new column of verdicts, empty in those that are there."""

    dependencies = (("jobs", "0012_prepared_searches"),)
    operations = (
        migrations.AddField(
            "Verdict",
            "parts",
            models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddConstraint(
            "Verdict",
            models.CheckConstraint(
                condition=Exact(
                    models.Func(
                        models.F("parts"),
                        function="jsonb_typeof",
                        output_field=models.TextField(),
                    ),
                    models.Value("object"),
                ),
                name="verdict_parts_are_an_object",
            ),
        ),
    )

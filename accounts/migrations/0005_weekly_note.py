"""Whether somebody wants to be told once a week that nothing matched."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_sessions"),
    ]

    operations = [
        migrations.AddField(
            model_name="preferences",
            name="weekly_note",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddIndex(
            model_name="preferences",
            index=models.Index(
                condition=models.Q(("weekly_note", True)),
                fields=["user"],
                name="preferences_weekly_note",
            ),
        ),
    ]

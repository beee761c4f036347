"""Runs that somebody asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One row for each kind of run that was asked for."""

    dependencies = [
        ("deliveries", "0002_moves"),
    ]

    operations = [
        migrations.CreateModel(
            name="WantedRun",
            fields=[
                (
                    "kind",
                    models.CharField(
                        choices=[("scan", "scan"), ("digest", "digest")],
                        max_length=10,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("begun_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["scan", "digest"])),
                        name="wanted_run_kind_known",
                    )
                ],
            },
        ),
    ]

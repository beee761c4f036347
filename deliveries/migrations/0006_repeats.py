"""Which job a repost repeats."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the column, and what must hold of it."""

    dependencies = (("deliveries", "0005_mail_begun"), ("jobs", "0007_text_fingerprint"))
    operations = (
        migrations.AddField(
            "Delivery",
            "repeats",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="repeated_by",
                to="jobs.job",
            ),
        ),
        migrations.AddConstraint(
            "Delivery",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", "repost"), ("repeats__isnull", False))
                    & ~models.Q(("repeats", models.F("job")))
                )
                | (~models.Q(reason="repost") & models.Q(repeats__isnull=True)),
                name="delivery_repeats_iff_repost",
            ),
        ),
    )

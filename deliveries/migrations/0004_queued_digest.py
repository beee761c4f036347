"""Preferences seen as the digests that wait: no table, only rights of its own for staff."""

from django.db import migrations


class Migration(migrations.Migration):
    """Add the proxy."""

    dependencies = (("accounts", "0001_initial"), ("deliveries", "0003_wanted_run"))
    operations = (
        migrations.CreateModel(
            name="QueuedDigest",
            fields=[],
            options={
                "verbose_name": "queued digest",
                "proxy": True,
                "default_permissions": ("view", "change"),
                "indexes": [],
                "constraints": [],
            },
            bases=("accounts.preferences",),
        ),
    )

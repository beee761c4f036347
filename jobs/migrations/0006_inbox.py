"""Who may send jobs, and what they sent until a scan has read it."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

STATES = ("ok", "quiet", "blocked", "logged_out", "throttled", "broken", "unauthorised", "off")


class Migration(migrations.Migration):
    """Add the two tables of the inbox."""

    dependencies = (("jobs", "0005_posted_at_estimated"),)
    operations = (
        migrations.CreateModel(
            "InboxSender",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60, unique=True)),
                ("token_hash", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField(db_default=Now())),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_seen_at", models.DateTimeField(blank=True, null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[(state, state) for state in STATES],
                        db_default="off",
                        default="off",
                        max_length=20,
                    ),
                ),
                ("state_at", models.DateTimeField(blank=True, null=True)),
                ("counted_from", models.DateTimeField(blank=True, null=True)),
                ("counted", models.PositiveIntegerField(db_default=0, default=0)),
            ],
            options={
                "verbose_name": "inbox sender",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(state__in=STATES), name="inbox_sender_state_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(token_hash__regex=r"^[0-9a-f]{64}$"),  # noqa: S106
                        name="inbox_sender_token_is_a_hash",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "InboxMessage",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("received_at", models.DateTimeField(db_default=Now())),
                ("body", models.BinaryField()),
                (
                    "sender",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="jobs.inboxsender",
                    ),
                ),
            ],
        ),
    )

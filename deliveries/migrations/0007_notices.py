"""Two more kinds of mail, which carry no jobs of the ledger: the sample and the weekly note."""

from django.conf import settings
from django.db import migrations, models

WRITTEN_ONCE = """
CREATE FUNCTION deliveries_mail_keeps_its_week() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.week_on IS DISTINCT FROM OLD.week_on THEN
        RAISE EXCEPTION 'a mail is written once; the week of a note stays'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'mail_is_written_once';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER mail_keeps_its_week BEFORE UPDATE ON deliveries_mail
    FOR EACH ROW EXECUTE FUNCTION deliveries_mail_keeps_its_week();
"""
UNDONE = """
DROP TRIGGER mail_keeps_its_week ON deliveries_mail;
DROP FUNCTION deliveries_mail_keeps_its_week();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("deliveries", "0006_repeats"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="mail",
            name="mail_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="mail",
            name="mail_status_fits_kind",
        ),
        migrations.RemoveConstraint(
            model_name="mail",
            name="mail_day_iff_digest",
        ),
        migrations.AddField(
            model_name="mail",
            name="week_on",
            field=models.DateField(null=True),
        ),
        migrations.AlterField(
            model_name="mail",
            name="kind",
            field=models.CharField(
                choices=[
                    ("alert", "alert"),
                    ("digest", "digest"),
                    ("sample", "sample"),
                    ("weekly", "weekly"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(
                condition=models.Q(("kind", "sample")),
                fields=["user", "created_at"],
                name="mail_samples",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ("alert", "digest", "sample", "weekly"))),
                name="mail_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ["alert", "sample", "weekly"]),
                        ("status__in", ["sending", "unconfirmed", "sent", "failed", "void"]),
                    ),
                    models.Q(
                        ("kind", "digest"),
                        ("status__in", ["sealed", "unconfirmed", "sent", "failed", "void"]),
                    ),
                    _connector="OR",
                ),
                name="mail_status_fits_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("digest_on__isnull", False), ("kind", "digest")),
                    models.Q(
                        models.Q(("kind", "digest"), _negated=True), ("digest_on__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="mail_day_iff_digest",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "weekly"), ("week_on__isnull", False)),
                    models.Q(
                        models.Q(("kind", "weekly"), _negated=True), ("week_on__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="mail_week_iff_weekly",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("week_on__isnull", True), ("week_on__iso_week_day", 1), _connector="OR"
                ),
                name="mail_week_begins_on_monday",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "weekly"), models.Q(("status", "void"), _negated=True)),
                fields=("user", "week_on"),
                name="mail_one_weekly_a_week",
            ),
        ),
        migrations.RunSQL(WRITTEN_ONCE, UNDONE),
    ]

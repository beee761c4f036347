"""How far jobs are judged: a revision for each change of a job, a version for each of searches."""

from django.conf import settings
from django.db import migrations, models

import jobs.models.job

TRIGGER = """
CREATE FUNCTION jobs_searches_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE jobs_watermark SET version = version + 1 WHERE user_id = OLD.user_id;
    ELSE
        INSERT INTO jobs_watermark (user_id) VALUES (NEW.user_id)
        ON CONFLICT (user_id) DO UPDATE SET version = jobs_watermark.version + 1;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER jobs_searches_changed AFTER INSERT OR UPDATE OR DELETE ON accounts_search
    FOR EACH ROW EXECUTE FUNCTION jobs_searches_changed();
"""
DROP = (
    "DROP TRIGGER jobs_searches_changed ON accounts_search; DROP FUNCTION jobs_searches_changed()"
)


class Migration(migrations.Migration):
    """Add the sequence, the column, the table and the trigger."""

    dependencies = (
        ("jobs", "0001_initial"),
        ("accounts", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    )
    operations = (
        migrations.RunSQL(
            "CREATE SEQUENCE jobs_job_revision AS bigint", "DROP SEQUENCE jobs_job_revision"
        ),
        migrations.AddField(
            "Job",
            "revision",
            models.BigIntegerField(db_default=jobs.models.job.NextRevision(), editable=False),
        ),
        migrations.AddIndex("Job", models.Index(fields=["revision"], name="job_revision")),
        migrations.CreateModel(
            "Watermark",
            [
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("version", models.BigIntegerField(db_default=1, default=1)),
                ("judged_version", models.BigIntegerField(db_default=0, default=0)),
                ("judged_to", models.BigIntegerField(db_default=0, default=0)),
            ],
        ),
        migrations.RunSQL(TRIGGER, DROP),
    )

"""Rows in quarantine whose text was no JSON, no CSV and no page of jobs."""

from django.db import migrations, models
from django.db.models import Q

FORMS = ("value", "json", "csv", "html")


class Migration(migrations.Migration):
    """Say how the text of a quarantined row is read."""

    dependencies = (("jobs", "0008_quarantine"),)
    operations = (
        migrations.AddField(
            "QuarantinedRow",
            "form",
            models.CharField(
                choices=[(form, form) for form in FORMS],
                db_default="value",
                default="value",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "QuarantinedRow",
            models.CheckConstraint(condition=Q(form__in=FORMS), name="quarantined_form_known"),
        ),
    )

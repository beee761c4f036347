"""Category, language and the worker's countries of a job; exchange rates."""

from typing import Any

import django.contrib.postgres.fields
import django.db.models.lookups
from django.db import migrations, models

import accounts.checks_sql

CATEGORIES = (
    "accounting_consulting",
    "admin_support",
    "customer_service",
    "data_science_analytics",
    "design_creative",
    "engineering_architecture",
    "it_networking",
    "legal",
    "sales_marketing",
    "translation",
    "web_mobile_software_dev",
    "writing",
)
CODES = django.db.models.lookups.Regex(
    accounts.checks_sql._Joined(
        models.F("worker_countries"), models.Value(","), models.Value("null")
    ),
    models.Value("^([A-Z]{2}(,[A-Z]{2})*)?$"),
)


def unset_or(**condition: Any) -> models.Q:
    """A column is null, or as given."""
    name = next(iter(condition)).partition("__")[0]
    return models.Q(**{f"{name}__isnull": True}) | models.Q(**condition)


class Migration(migrations.Migration):
    """New columns of jobs, empty until the next fetch, and a table of rates."""

    dependencies = (("jobs", "0009_quarantined_texts"),)
    operations = (
        migrations.CreateModel(
            "ExchangeRates",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("usd", models.JSONField()),
                ("source", models.CharField(max_length=200)),
                ("fetched_at", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "exchange rates", "ordering": ("-day",)},
        ),
        migrations.AddField(
            "Job", "category", models.CharField(blank=True, max_length=40, null=True)
        ),
        migrations.AddField(
            "Job",
            "language",
            models.CharField(blank=True, editable=False, max_length=2, null=True),
        ),
        migrations.AddField(
            "Job",
            "worker_countries",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=2), blank=True, default=list, size=None
            ),
        ),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=unset_or(category__in=CATEGORIES), name="job_category_known"
            ),
        ),
        migrations.AddConstraint(
            "Job",
            models.CheckConstraint(
                condition=unset_or(language__regex="^([a-z]{2})?$"), name="job_language_shape"
            ),
        ),
        migrations.AddConstraint(
            "Job", models.CheckConstraint(condition=CODES, name="job_worker_countries_shape")
        ),
        migrations.AddConstraint(
            "ExchangeRates",
            models.CheckConstraint(
                condition=models.Q(usd__contains={"USD": "1"}),
                name="exchange_rates_state_the_dollar",
            ),
        ),
        migrations.AddConstraint(
            "ExchangeRates",
            models.CheckConstraint(
                condition=~models.Q(source=""), name="exchange_rates_name_their_source"
            ),
        ),
    )

"""Categories are chosen from a list from now on."""

from typing import Any

from django.db import migrations

from accounts.categories import category_slug


def settle(apps: Any, schema_editor: Any) -> None:
    """Turn what people wrote into slugs; what no category is meant by never did anything."""
    search = apps.get_model("accounts", "Search")
    for row in search.objects.exclude(categories=[]).only("pk", "categories"):
        known = dict.fromkeys(filter(None, map(category_slug, row.categories)))
        search.objects.filter(pk=row.pk).update(categories=list(known))


class Migration(migrations.Migration):
    """Settle what is stored; the constraint comes after this has committed."""

    dependencies = (("accounts", "0001_initial"),)
    operations = (migrations.RunPython(settle, migrations.RunPython.noop),)

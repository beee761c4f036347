"""`manage.py quarantine`: what of the sources was not understood, and a way to try again."""

import json
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count, Max, Sum

from jobs.models import QuarantinedRow
from jobs.quarantine import run_again


class Command(BaseCommand):
    """List the quarantine, or run it again."""

    help = "List the rows that were not, or only half, understood; or try them again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose rows, and what to do with them."""
        parser.add_argument("--source", help="only rows of this one, such as feed or import")
        parser.add_argument(
            "--run-again",
            action="store_true",
            help="store what is understood by now, and let it out of the quarantine",
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a line for each source and reason, after the second attempt if one is wanted."""
        rows = QuarantinedRow.objects.all()
        if options["source"]:
            rows = rows.filter(source=options["source"])
        told: dict[str, Any] = {}
        if options["run_again"]:
            done = run_again(rows, now=datetime.now(UTC))
            told = done.as_json()
            self.stderr.write(
                f"{done.understood} understood ({done.new_jobs} new jobs), {done.left} left"
            )
        groups = rows.values("source", "kind", "reason")
        counted = groups.annotate(rows=Count("pk"), seen=Sum("count"), last=Max("seen_at"))
        for group in counted.order_by("source", "-rows", "reason"):
            self.stderr.write(
                "{source}: {kind}, {reason}: {rows} rows, seen {seen} times, last"
                " {last:%Y-%m-%d %H:%M} UTC".format(**group)
            )
        if options["json"]:
            self.stdout.write(json.dumps(told | {"rows": rows.count()}))

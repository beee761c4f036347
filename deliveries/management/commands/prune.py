"""`manage.py prune`: delete what is older than it is kept."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deliveries.running.runs import RunFailedError, run_prune
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall, stopping_on_sigterm


class Command(BaseCommand):
    """One pruning."""

    help = "Delete final ledger rows, mails, verdicts and job texts older than they are kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How long it may take, and how it reports."""
        parser.add_argument(
            "--max-seconds",
            type=float,
            default=settings.SCOUT_MAX_SECONDS,
            metavar="N",
            help="stop in good order before so many seconds (SCOUT_MAX_SECONDS)",
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete, and say how many of each."""
        wall = Wall(options["max_seconds"])
        with stopping_on_sigterm(wall):
            try:
                counts = run_prune(Clock(), wall).as_json()
            except RunFailedError as error:
                raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(counts))
            return
        for name, value in counts.items():
            self.stdout.write(f"{name.replace('_', ' '):18} {value}")

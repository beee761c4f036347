"""`manage.py restored_backup`: after a backup was restored, so that nothing is sent twice."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deliveries.restoring import Restored, ScanRunsError, after_restore
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError
from jobs.source_health import HEALTHY
from jobs.sources import SourceError


class Command(BaseCommand):
    """What follows a restored backup."""

    help = "After restoring a backup, before worker and cron start again: give up what may repeat."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How it reports."""
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say what was done; exits 1 when a source did not show what it holds."""
        try:
            restored = after_restore(Clock())
        except (ScanRunsError, SourceError, BusyError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(restored.as_json()) if options["json"] else _told(restored))
        if not restored.healthy:
            names = [name for name, state in restored.sources.items() if state not in HEALTHY]
            raise CommandError(
                f"These sources did not show what they hold: {', '.join(names)}. What they show"
                " later may have been mailed before: run this again once they are well."
            )


def _told(restored: Restored) -> str:
    return (
        f"Looked at every source first: {restored.fetched} posts,"
        f" {restored.new_jobs} of them new.\n"
        f"No job dated until {restored.mark:%Y-%m-%d %H:%M:%S} UTC comes to anybody any more"
        f" ({restored.users} users, and whoever signs up now).\n"
        f"Expired what was queued: {restored.expired} jobs.\n"
        f"Ended open mails as unconfirmed: {restored.unconfirmed} jobs in them.\n"
        f"Skipped the digest that may have been sent already: {restored.digests_skipped} users.\n"
        "Forgot the lease and the runs that were asked for. Worker and cron may start."
    )

"""`manage.py scan`: fetch, match, record, mail."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from accounts.identity import uid_of
from accounts.models import User
from deliveries.running.runs import run_scan
from deliveries.running.work_command import WorkCommand
from deliveries.scan import ScanOptions
from deliveries.summaries import ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall


class Command(WorkCommand):
    """One scan."""

    help = "Fetch jobs, judge them for every user, and mail at once what is to be mailed at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what only a scan understands."""
        super().add_arguments(parser)
        parser.add_argument(
            "--work-only", action="store_true", help="do not fetch; needs no lease, many may run"
        )
        parser.add_argument(
            "--every-source", action="store_true", help="ask sources in trouble now, due or not"
        )
        parser.add_argument("--user", metavar="EMAIL", help="judge and mail this user only")

    def work(self, clock: Clock, wall: Wall, options: dict[str, Any]) -> ScanSummary:
        """Run the scan."""
        user_id = None
        if options["user"]:
            user_id = uid_of(options["user"])
            if not User.objects.filter(pk=user_id).exists():
                raise CommandError(
                    f"No user has the address {options['user']!r}: add one with add_user."
                )
        asked = ScanOptions(
            work_only=options["work_only"],
            every_source=options["every_source"],
            user_id=user_id,
        )
        return run_scan(clock, wall, asked)

"""`manage.py why`: every step from fetch to inbox for one user and one job."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deliveries.why import UnknownPairError, explain
from deliveries.work.clock import Clock


class Command(BaseCommand):
    """Explain one pair."""

    help = "Say, step by step, why a job did or did not reach somebody."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and which job."""
        parser.add_argument("email")
        parser.add_argument("job", help="its id, or its address on the marketplace")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a sentence for each step; exit 2 for an unknown user or job."""
        try:
            steps = explain(options["email"], options["job"], now=Clock().now())
        except UnknownPairError as error:
            raise CommandError(str(error), returncode=2) from None
        for step in steps:
            self.stdout.write(f"{step.name:10} {step.sentence}")

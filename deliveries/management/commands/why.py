"""`manage.py why`: every step from fetch to inbox for one user and one job."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deliveries.why import Step, UnknownPairError, explain
from deliveries.work.clock import Clock


class Command(BaseCommand):
    """Explain one pair."""

    help = "Say, step by step, why a job did or did not reach somebody."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Who, and which job."""
        parser.add_argument("email")
        parser.add_argument("job", help="its id, or its address on the marketplace")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a sentence for each step; exit 2 for an unknown user or job.

        With `--json` the last line is the object whatever happens.
        """
        steps: list[Step] = []
        error = None
        try:
            steps = explain(options["email"], options["job"], now=Clock().now())
        except UnknownPairError as unknown:
            error = str(unknown)
        out = self.stderr if options["json"] else self.stdout
        for line in _aligned(steps):
            out.write(line)
        if options["json"]:
            told = {"job": options["job"], "error": error, "steps": [asdict(s) for s in steps]}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        if error:
            raise CommandError(error, returncode=2)


def _aligned(steps: Sequence[Step]) -> list[str]:
    """A line a step, the sentences below each other."""
    names = [f"{'  ' if step.part else ''}{step.name}" for step in steps]
    wide = max(map(len, names), default=0)
    return [f"{name:{wide}}  {step.sentence}" for name, step in zip(names, steps, strict=True)]

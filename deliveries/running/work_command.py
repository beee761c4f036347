"""What the commands that do the work share: the clock, the wall, the summary."""

import json
from abc import abstractmethod
from argparse import ArgumentParser, ArgumentTypeError
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deliveries.running.runs import RunFailedError
from deliveries.summaries import DigestSummary, ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall, stopping_on_sigterm
from jobs.sources import SourceError


class WorkCommand(BaseCommand):
    """A command that works until done or until its wall, and reports in numbers.

    Exits 1 when a source or the mail provider is down, else 0, also when skipped.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options that every working command has."""
        parser.add_argument(
            "--max-seconds",
            type=_seconds,
            default=settings.SCOUT_MAX_SECONDS,
            metavar="N",
            help="stop in good order before so many seconds (SCOUT_MAX_SECONDS)",
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")
        parser.add_argument("--now", metavar="ISO", help="move the clock (development only)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work, report, and say by the exit code whether something outside is down."""
        clock, wall = clock_at(options["now"]), Wall(options["max_seconds"])
        try:
            with stopping_on_sigterm(wall):
                summary = self.work(clock, wall, options)
        except (SourceError, RunFailedError) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(summary.as_json()))
        else:
            self._print(summary.as_json())
        if not summary.healthy:
            raise SystemExit(1)

    @abstractmethod
    def work(
        self, clock: Clock, wall: Wall, options: dict[str, Any]
    ) -> ScanSummary | DigestSummary:
        """Do the work."""

    def _print(self, values: dict[str, Any]) -> None:
        if values.get("skipped"):
            self.stdout.write(f"Skipped: {values['skipped']}.")
            return
        for name, value in values.items():
            if isinstance(value, dict):
                value = ", ".join(f"{key} {state}" for key, state in value.items()) or "none"
            if name != "skipped":
                self.stdout.write(f"{name.replace('_', ' '):12} {value}")


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 86_400:  # also refuses what is no number
        raise ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def clock_at(moment: str | None) -> Clock:
    """The database's clock, or one set to an ISO 8601 time (UTC without a zone).

    Raises CommandError outside development and for what is no time.
    """
    if moment is None:
        return Clock()
    if not settings.DEBUG:
        raise CommandError("--now moves the clock in development only: leave it out.")
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError:
        raise CommandError(
            f"--now {moment!r} is not a time: write one such as 2030-01-31T08:00:00Z."
        ) from None
    return Clock.set_to(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))

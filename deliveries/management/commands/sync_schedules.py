"""`manage.py sync_schedules`: what the worker runs by itself, and when."""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from deliveries.running.schedules import SCHEDULES, sync


class Command(BaseCommand):
    """Keep django-q2's schedules in step."""

    help = "Make the worker's schedules what this version needs; other schedules are left alone."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make, correct, remove duplicates; say how many of each."""
        done = asdict(sync())
        said = ", ".join(f"{count} {what}" for what, count in done.items() if count)
        self.stdout.write(f"{len(SCHEDULES)} schedules: {said or 'unchanged'}.")

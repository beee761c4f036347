"""`manage.py digest`: mail every digest whose local hour has come."""

from typing import Any

from deliveries.clock import Clock
from deliveries.runs import run_digest
from deliveries.summaries import DigestSummary
from deliveries.wall import Wall
from deliveries.work_command import WorkCommand


class Command(WorkCommand):
    """One digest tick."""

    help = "Mail every digest whose local hour has come, and try frozen ones again."

    def work(self, clock: Clock, wall: Wall, options: dict[str, Any]) -> DigestSummary:
        """Run the tick."""
        return run_digest(clock, wall)

"""`manage.py digest`: mail every digest whose local hour has come."""

from typing import Any

from deliveries.running.runs import run_digest
from deliveries.running.work_command import WorkCommand
from deliveries.summaries import DigestSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall


class Command(WorkCommand):
    """One digest tick."""

    help = "Mail every digest whose local hour has come, try frozen ones again, mail weekly notes."

    def work(self, clock: Clock, wall: Wall, options: dict[str, Any]) -> DigestSummary:
        """Run the tick."""
        return run_digest(clock, wall)

"""`manage.py rehearse`: scan and digest twice on a copy of the present data."""

import json
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from deliveries.rehearsing import Rehearsed, fill, rehearse, source_rows
from deliveries.running.work_command import clock_at
from deliveries.scratch import NoScratchError, scratch_database
from deliveries.work.wall import Wall, stopping_on_sigterm

_LONGEST: Final = 3600.0  # seconds


class Command(BaseCommand):
    """The test that the product rests on, with the operator's own rows."""

    help = "Scan and digest twice on a scratch copy of the data: can the second run be told?"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How to report."""
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")
        parser.add_argument("--now", metavar="ISO", help="move the clock (development only)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rehearse; exit 1 when the second run could be told from the first."""
        wall, now = Wall(_LONGEST), clock_at(options["now"]).now()
        try:
            with (
                stopping_on_sigterm(wall),
                source_rows() as source,
                scratch_database("rehearsal") as name,
            ):
                self.stderr.write(f"Rehearsing in the scratch database {name} …")
                fill(source)
                found = rehearse(now=now, wall=wall)
        except NoScratchError as error:
            raise CommandError(str(error), returncode=2) from None
        if wall.stopped:
            raise CommandError("Stopped before the end: nothing can be said.", returncode=2)
        self._report(found, options["json"])
        if found.told:
            raise SystemExit(1)

    def _report(self, found: Rehearsed, as_json: bool) -> None:
        out = self.stderr if as_json else self.stdout
        for name, run in (("first", found.first), ("second", found.second)):
            told = ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in run.items())
            out.write(f"The {name} scan and digest: {told}.")
        if found.told:
            changed = ", ".join(found.changed) or "none"
            out.write(f"The second run could be told: tables with changed rows: {changed}.")
        else:
            out.write("Nobody could tell the second run from the first: no mail, no changed row.")
        if as_json:
            answer = {"told": found.told, "changed": list(found.changed)}
            self.stdout.write(json.dumps({**answer, "first": found.first, "second": found.second}))

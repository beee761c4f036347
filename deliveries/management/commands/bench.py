"""`manage.py bench`: how long a scan, a preview and the pages take, and where the time goes."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from deliveries.bench import PREVIEWED, Measured, StoppedError, measure
from deliveries.bench.page_times import JOBS, PageError, page_times
from deliveries.scratch import NoScratchError, scratch_database
from deliveries.work.wall import Wall, stopping_on_sigterm

_LONGEST: Final = 3600.0  # seconds


def _count(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 0 < number <= 1_000_000:
        raise ArgumentTypeError(f"{text!r} is not a number from 1 to 1000000")
    return number


class Command(BaseCommand):
    """One measurement, in a database of its own."""

    help = "Measure scan and preview with invented users and jobs; nothing is mailed or kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How much of it."""
        parser.add_argument("--users", type=_count, default=2_000, metavar="N")
        parser.add_argument("--jobs", type=_count, default=500, metavar="M")
        parser.add_argument(
            "--pages", action="store_true", help=f"instead, time each page with {JOBS:,} jobs"
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and report."""
        wall = Wall(_LONGEST)
        with stopping_on_sigterm(wall):
            try:
                with scratch_database("bench") as name:
                    self.stderr.write(f"Measuring in the scratch database {name} …")
                    if options["pages"]:
                        times = page_times(JOBS, wall=wall)
                        self._report(_told_pages(times), times, options)
                    else:
                        found = measure(options["users"], options["jobs"], wall=wall)
                        self._report(_told(found), asdict(found), options)
            except (NoScratchError, StoppedError, PageError) as error:
                raise CommandError(str(error)) from None

    def _report(self, lines: Iterator[str], found: Any, options: dict[str, Any]) -> None:
        out = self.stderr if options["json"] else self.stdout
        for line in lines:
            out.write(line)
        if options["json"]:
            self.stdout.write(json.dumps(found))


def _told(found: Measured) -> Iterator[str]:
    share = found.passed / found.pairs
    yield (
        f"{found.users:,} users x {found.jobs:,} jobs = {found.pairs:,} pairs, {share:.2%} passed:"
        f" {found.verdicts:,} verdicts, {found.queued:,} queued"
    )
    for name, seconds in found.seconds.items():
        yield f"  {name:18} {seconds:8.2f} s"
    yield (
        f"  {'whole scan':18} {found.scan_seconds:8.2f} s, {found.pairs_per_second:,.0f} pairs/s,"
        f" {found.scan_cpu_seconds:.2f} s of them at work here; again {found.again_seconds:.2f} s"
    )
    yield f"  {'peak memory':18} {found.peak_mb:8.0f} MB"
    yield (
        f"A plain Python comparison takes {found.plain_us['comparison']:.2f} µs, a plain INSERT"
        f" {found.plain_us['insert']:.0f} µs, a plain COPY {found.plain_us['copy']:.0f} µs a row:"
    )
    for name, ratio in found.ratios.items():
        yield f"  {name:40} {ratio:8.2f}"
    took = found.preview_ms
    yield (
        f"Preview of {PREVIEWED:,} jobs: {took['median']:.0f} ms, {took['median_cpu']:.0f} of them"
        f" at work here; at worst {took['worst']:.0f} ms; once for the table"
        f" {took['prepare']:.0f} ms"
    )


def _told_pages(found: dict[str, dict[str, float]]) -> Iterator[str]:
    yield f"{'page':28} {'first':>8} {'median':>8}   {JOBS:,} recent jobs; milliseconds"
    for name, took in found.items():
        yield (
            f"{name:28} {took['first']:8.1f} {took['median']:8.1f}   {took['ratio']:.1f} times the"
            " barest page"
        )

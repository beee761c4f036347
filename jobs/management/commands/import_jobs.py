"""`manage.py import_jobs`: postings from a file, stored or only shown."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from jobs.postings.normalise import Rejection, normalise
from jobs.postings.posting import Posting
from jobs.postings.posting_json import as_json
from jobs.postings.reading import BotWall, read_rows
from jobs.sources.base import TRUST
from jobs.store import store


class Command(BaseCommand):
    """Import one file."""

    help = "Store the postings of a JSON, JSON lines or CSV file or a saved page (also .gz)."
    _reported = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The file, and what to do with it."""
        parser.add_argument("path")
        parser.add_argument(
            "--dry-run", action="store_true", help="store nothing; write what was understood"
        )
        parser.add_argument(
            "--fetched-at",
            metavar="ISO",
            help="what relative times refer to; times without a zone are taken as UTC",
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Read all rows; exit 1 when none was good or the file is a bot wall.

        With `--json` the last line is the object whatever happens.
        """
        try:
            self._import(options)
        except CommandError:
            if options["json"] and not self._reported:
                self.stdout.write(json.dumps({"good": 0, "bad": 0, "new": 0}))
            raise

    def _import(self, options: dict[str, Any]) -> None:
        fetched_at = _moment(options["fetched_at"])
        good: list[Posting] = []
        bad = 0
        try:
            for number, row in self._rows(Path(options["path"]), fetched_at):
                if isinstance(row, Rejection):
                    bad += 1
                    self.stderr.write(f"row {number}: {row}")
                    continue
                good.append(row)
                if options["dry_run"]:
                    self.stdout.write(json.dumps(as_json(row), ensure_ascii=False))
        except BotWall as wall:
            raise CommandError(f"{options['path']}: no jobs: {wall}") from None
        new = 0
        if good and not options["dry_run"]:
            stored = store(good, source="import", trust=TRUST["file"], now=datetime.now(UTC))
            new, bad = stored.new, bad + len(stored.refused)
            for job_id in stored.refused:
                self.stderr.write(f"{job_id}: the database refused it")
        self._report({"good": len(good), "bad": bad, "new": new}, options)

    def _rows(self, path: Path, at: datetime) -> Iterator[tuple[int, Posting | Rejection]]:
        try:
            for number, row in read_rows(path):
                yield number, row if isinstance(row, Rejection) else normalise(row, at)
        except OSError as error:
            raise CommandError(
                f"Cannot read {path}: {error.strerror or error}. Give a readable file."
            ) from None

    def _report(self, counts: dict[str, int], options: dict[str, Any]) -> None:
        self._reported = True
        if options["json"]:
            self.stdout.write(json.dumps(counts))
        else:
            self.stderr.write(", ".join(f"{n} {name}" for name, n in counts.items()))
        if not counts["good"]:
            raise CommandError(f"{options['path']}: no good row: nothing was stored.")


def _moment(text: str | None) -> datetime:
    if text is None:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f"--fetched-at {text!r} is not a time: write one such as 2030-01-31T08:00:00Z."
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

"""`manage.py import_jobs`: postings from a file, stored or only shown."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.boundaries import commit
from jobs import quarantine
from jobs.fetching import refused
from jobs.postings.posting import Posting
from jobs.postings.posting_json import as_json
from jobs.postings.reading import BotWall, read_rows
from jobs.preparing import prepare_jobs
from jobs.rows import BadRow, read_row
from jobs.sources.base import TRUST
from jobs.store import Stored, store


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
        bad: list[BadRow] = []
        try:
            for number, posting, row in self._rows(Path(options["path"]), fetched_at):
                if row:
                    bad.append(row)
                    self.stderr.write(f"row {number}: {row}")
                if posting:
                    good.append(posting)
                if posting and options["dry_run"]:
                    self.stdout.write(json.dumps(as_json(posting), ensure_ascii=False))
        except BotWall as wall:
            raise CommandError(f"{options['path']}: no jobs: {wall}") from None
        stored = Stored() if options["dry_run"] else _keep(good, bad)
        if stored.new:
            prepare_jobs(now=datetime.now(UTC))
        for job_id in stored.refused:
            self.stderr.write(f"{job_id}: the database refused it")
        rejected = sum(row.kind == "rejected" for row in bad) + len(stored.refused)
        self._report({"good": len(good), "bad": rejected, "new": stored.new}, options)

    def _rows(
        self, path: Path, at: datetime
    ) -> Iterator[tuple[int, Posting | None, BadRow | None]]:
        try:
            for number, row in read_rows(path):
                yield number, *read_row(row, at)
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


def _keep(good: list[Posting], bad: list[BadRow]) -> Stored:
    """Store what is good, and put the rest into quarantine."""
    now = datetime.now(UTC)
    by: dict[str, Any] = {"source": "import", "trust": TRUST["file"], "now": now}
    with commit("import: keep"):
        stored = store(good, **by)
        rows = sorted((*bad, *refused(good, stored, now)), key=lambda row: row.kind != "rejected")
        quarantine.keep(rows, **by, until=None)
    return stored


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

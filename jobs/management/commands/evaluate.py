"""`manage.py evaluate`: how well the scan's judgement agrees with labelled pairs."""

import gzip
import json
import math
import zlib
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from accounts.boundaries import effect
from accounts.profiles import ProfileError
from accounts.terms import SearchTerms
from jobs.evaluating import Evaluation, Label, Postings, evaluate
from jobs.postings.reading import BotWall, read_rows
from jobs.rows import read_row
from jobs.scoring.judged import searches_of
from jobs.scoring.measuring import Ranked, in_words, means, table

_SHOWN: Final = 5


class Command(BaseCommand):
    """Measure against a folder of profiles and labels; needs no database."""

    help = "Score DIR/profiles.jsonl against the jobs in DIR/labels.jsonl as a scan would."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The folder, and what to write."""
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--jobs", type=Path, metavar="PATH", help="posts in any form that import_jobs reads"
        )
        parser.add_argument(
            "--predictions", type=Path, metavar="OUT", help="write profile, job and score as JSONL"
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Evaluate and report; exit 1 when a file is missing or cannot be understood."""
        now = datetime.now(UTC)
        directory: Path = options["directory"]
        profiles = self._profiles(_file(directory, "profiles.jsonl"))
        labels = list(_labels(_file(directory, "labels.jsonl")))
        if not labels:
            raise CommandError(f"{directory}: labels.jsonl holds no label.")
        postings = self._postings(options["jobs"] or _file(directory, "jobs.jsonl"), now)
        found = evaluate(profiles, labels, postings, now=now)
        if options["predictions"]:
            _write(options["predictions"], found)
        self._report(found, len(labels), as_json=options["json"])

    def _profiles(self, path: Path) -> dict[str, tuple[SearchTerms, ...]]:
        found: dict[str, tuple[SearchTerms, ...]] = {}
        for number, row in _objects(path):
            name = str(row.get("id") or row.get("name") or f"profile {number}").strip()
            if name in found:
                raise CommandError(f"{path}, line {number}: another profile is {name!r}, too.")
            try:
                found[name] = searches_of(row, name[:80])
            except ProfileError as error:
                raise CommandError(f"{path}, profile {name}: {error}") from None
        return found

    def _postings(self, path: Path, now: datetime) -> Postings:
        """Every post of the file that can be read; the others are counted."""
        read, bad = [], 0
        for _, raw in _rows(path):
            posting, _ = read_row(raw, now)
            if posting:
                read.append((raw, posting))
            bad += posting is None
        if bad:
            self.stderr.write(f"{path}: {bad} rows are no posts")
        return Postings(read)

    def _report(self, found: Evaluation, labels: int, *, as_json: bool) -> None:
        out = self.stderr if as_json else self.stdout
        for what, names in (("job", found.absent_jobs), ("profile", found.absent_profiles)):
            if names:
                more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
                self.stderr.write(
                    f"{len(names)} labelled {what}{'s' * (len(names) > 1)} not found, counted as"
                    f" lowest: {', '.join(names[:_SHOWN])}{more}"
                )
        for line in table(found.profiles):
            out.write(line)
        out.write(f"at {found.overall.threshold:g}: {in_words(found.overall)}")
        out.write(f"best F1, at {found.best.threshold:g}: {in_words(found.best)}")
        if as_json:
            self.stdout.write(json.dumps(_summary(found, labels)))


def _summary(found: Evaluation, labels: int) -> dict[str, object]:
    ndcg, precision, best = means(found.profiles.values())
    return {
        "pairs": labels,
        "predicted": len(found.predictions),
        "absent_jobs": found.absent_jobs,
        "absent_profiles": found.absent_profiles,
        "ndcg10": _number(ndcg),
        "ap": _number(precision),
        "best_f1_per_profile": _number(best),
        "at_threshold": _rounded(asdict(found.overall)),
        "best": _rounded(asdict(found.best)),
        "profiles": {name: _of_profile(each) for name, each in found.profiles.items()},
    }


def _of_profile(each: Ranked) -> dict[str, float | None]:
    named = {"pairs": each.pairs, "good": each.good, "ndcg10": each.ndcg, "ap": each.precision}
    return _rounded({**named, "best_f1": each.best_f1})


def _rounded(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: _number(value) for name, value in values.items()}


def _number(value: float) -> float | None:
    """As JSON takes it: nothing to measure is null."""
    return None if math.isnan(value) else round(value, 4)


def _file(directory: Path, name: str) -> Path:
    """The file of this name, gzipped or not."""
    for path in (directory / f"{name}.gz", directory / name):
        if path.is_file():
            return path
    raise CommandError(f"{directory} holds neither {name} nor {name}.gz.")


def _rows(path: Path) -> Iterator[tuple[int, object]]:
    try:
        yield from read_rows(path)
    except BotWall as wall:
        raise CommandError(f"{path}: no jobs: {wall}") from None
    except OSError as error:
        raise CommandError(f"Cannot read {path}: {error.strerror or error}.") from None


def _objects(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects of a file of JSON lines, gzipped or not, each with its line's number."""
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise CommandError(f"Cannot read {path}: {error}.") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise CommandError(f"{path}, line {number}: write one JSON object.")
        yield number, row


def _labels(path: Path) -> Iterator[Label]:
    for number, row in _objects(path):
        profile, job, grade = (row.get(key) for key in ("profile", "job", "grade"))
        if profile is None or job is None or grade not in (0, 1, 2, 3):
            raise CommandError(
                f"{path}, line {number}: a label has profile, job and a grade from 0 to 3."
            )
        yield Label(str(profile).strip(), str(job), int(grade))


def _write(path: Path, found: Evaluation) -> None:
    lines = [json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in found.predictions]
    try:
        with effect("evaluate: predictions"):
            path.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"Cannot write {path}: {error.strerror or error}.") from None

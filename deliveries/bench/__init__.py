"""A measurement of the real scan and of previews, on invented users and jobs."""

import resource
import statistics
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from deliveries import ledger, scan
from deliveries.bench.market import add_jobs, add_users
from deliveries.bench.plain import plain_seconds
from deliveries.bench.stopwatch import Part, Stopwatch
from deliveries.summaries import ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs import matching, verdicts, watermarks
from jobs.invented import postings, searches
from jobs.matching import FreshJobs
from jobs.preview import preview
from jobs.table import JobTable

PREVIEWED: Final = 10_000
_PREVIEWS: Final = 15
_WEEK: Final = timedelta(days=7)


def prepare(table: JobTable) -> None:
    """Work out what filters and scorer need of the texts."""
    _ = table.texts, table.lexical, table.signs


# The scan's own steps, by the names under which it calls them.
PARTS: Final = (
    Part("load", verdicts, "fresh_jobs"),
    Part("load", verdicts, "table_of", "prepare", lambda found: prepare(found.table)),
    Part("load", verdicts, "searches_of"),
    Part("load", verdicts, "known_scores"),
    Part("load", watermarks, "standings"),
    Part("load", scan, "settled"),
    Part("filter", matching, "passing"),
    Part("score", matching, "score"),
    Part("match, the rest", scan, "match"),
    Part("verdicts write", verdicts, "keep"),
    Part("ledger write", ledger, "record"),
    Part("marks write", watermarks, "note_judged"),
)


class StoppedError(Exception):
    """The measurement was told to stop before its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Seconds by stage and what they mean; `pairs` are users times jobs, all of them new.

    The ratios hold on any machine: a pair's cost against one plain Python comparison of a pair, a
    ledger row's and a verdict's against a plain INSERT (and COPY) of the ledger's rows.
    """

    users: int
    jobs: int
    pairs: int
    passed: int
    verdicts: int
    queued: int
    seconds: dict[str, float]
    scan_seconds: float
    scan_cpu_seconds: float
    again_seconds: float
    pairs_per_second: float
    peak_mb: float
    plain_us: dict[str, float]
    ratios: dict[str, float]
    preview_ms: dict[str, float]


def measure(users: int, jobs: int, *, wall: Wall) -> Measured:
    """Scan `users` x `jobs` in the present database, which must be a scratch one, and compare.

    Raises StoppedError.
    """
    clock, watch = Clock(), Stopwatch()
    add_users(users)
    add_jobs(jobs, now=clock.now())
    cpu = time.process_time()
    first, taken = _scan(clock, wall, watch)
    cpu = time.process_time() - cpu
    _, again = _scan(clock, wall, Stopwatch())
    seconds = {**watch.seconds, "other": taken - sum(watch.seconds.values())}
    pairs, now = users * jobs, clock.now()
    plain = plain_seconds(searches(users), postings(jobs, now=now, span=_WEEK))
    return Measured(
        users=users,
        jobs=jobs,
        pairs=pairs,
        passed=first.candidates,
        verdicts=first.verdicts,
        queued=first.queued,
        seconds=_rounded(seconds),
        scan_seconds=round(taken, 3),
        scan_cpu_seconds=round(cpu, 3),
        again_seconds=round(again, 3),
        pairs_per_second=round(pairs / taken),
        plain_us=_rounded({name: value * 1e6 for name, value in plain.items()}),
        ratios=_rounded(_ratios(seconds, first, pairs, plain)),
        preview_ms=previews(PREVIEWED, now=now),
        peak_mb=round(_peak_mb()),
    )


def previews(count: int, *, now: datetime) -> dict[str, float]:
    """Milliseconds to make a table of `count` jobs ready, and then of previews on it.

    `median_cpu` is what the process itself worked: less where others share the cores.
    """
    posts = postings(count, now=now, span=_WEEK)
    dated = [post.posted_at or now for post in posts]
    begun = time.perf_counter()
    table = JobTable.of(posts, dated)
    prepare(table)
    ready = time.perf_counter() - begun
    found = FreshJobs(tuple(p.id for p in posts), table, tuple(dated), (1,) * count)
    times, worked = [], []
    for search in searches(_PREVIEWS, seed=1):
        begun, cpu = time.perf_counter(), time.process_time()
        preview(search, found, now=now)
        times.append(time.perf_counter() - begun)
        worked.append(time.process_time() - cpu)
    named = {
        "prepare": ready,
        "median": statistics.median(times),
        "worst": max(times),
        "median_cpu": statistics.median(worked),
    }
    return _rounded({name: value * 1000 for name, value in named.items()})


def _scan(clock: Clock, wall: Wall, watch: Stopwatch) -> tuple[ScanSummary, float]:
    """One scan to its end, and its seconds."""
    begun = time.perf_counter()
    with watch.watching(PARTS):
        summary = scan.scan(clock, wall, scan.ScanOptions(work_only=True, local_only=True))
    taken = time.perf_counter() - begun
    if wall.stopped or summary.users_left or summary.errors:
        raise StoppedError(
            f"Stopped early: {summary.users_left} users left, {summary.errors} errors."
        )
    return summary, taken


def _ratios(
    seconds: Mapping[str, float], found: ScanSummary, pairs: int, plain: Mapping[str, float]
) -> dict[str, float]:
    comparison, insert, copy = (plain[name] for name in ("comparison", "insert", "copy"))
    row = seconds["ledger write"] / max(1, found.queued)
    verdict = seconds["verdicts write"] / max(1, found.verdicts)
    scored = seconds["score"] / max(1, found.candidates)
    return {
        "filter a pair / plain comparison": seconds["filter"] / pairs / comparison,
        "whole scan a pair / plain comparison": sum(seconds.values()) / pairs / comparison,
        "score a passed pair / plain comparison": scored / comparison,
        "ledger row / plain insert": row / insert if insert else 0.0,
        "ledger row / plain copy": row / copy if copy else 0.0,
        "verdict / plain insert": verdict / insert if insert else 0.0,
    }


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in values.items()}


def _peak_mb() -> float:
    """The most memory this process ever had; macOS counts bytes, others KiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)

"""Runs as everybody starts them: with an id in the log, answering who asked, and a heartbeat."""

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from django.db import OperationalError
from psycopg.errors import UndefinedColumn, UndefinedTable
from structlog.contextvars import bound_contextvars

from deliveries.digest import digest
from deliveries.pruning import Pruned, prune
from deliveries.running import heartbeat, wanted
from deliveries.scan import ScanOptions, scan
from deliveries.summaries import DigestSummary, ScanSummary
from deliveries.work.clock import Clock
from deliveries.work.wall import Wall
from jobs.sources import SourceError

log = logging.getLogger(__name__)
_WHOLE: Final = ScanOptions()


class RunFailedError(Exception):
    """A run ended by an error that the log describes; the message names its type only."""


def run_scan(clock: Clock, wall: Wall, options: ScanOptions = _WHOLE) -> ScanSummary:
    """One scan; a healthy whole one beats the heart.

    Raises RunFailedError, or SourceError for a source that is configured wrongly.
    """
    whole = not options.work_only and options.user_id is None
    with _told("scan"), wanted.serving("scan") if whole else nullcontext():
        summary = scan(clock, wall, options)
        log.info("scan ended", extra={"summary": summary.as_json()})
        if whole and summary.healthy and summary.skipped is None:
            heartbeat.beat()
    return summary


def run_digest(clock: Clock, wall: Wall) -> DigestSummary:
    """One digest tick; raises RunFailedError."""
    with _told("digest"), wanted.serving("digest"):
        summary = digest(clock, wall)
        log.info("digest ended", extra={"summary": summary.as_json()})
    return summary


def run_prune(clock: Clock, wall: Wall) -> Pruned:
    """One pruning; raises RunFailedError."""
    with _told("prune"):
        pruned = prune(clock.now(), wall)
        log.info("prune ended", extra={"summary": pruned.as_json()})
    return pruned


@contextmanager
def _told(kind: str) -> Iterator[None]:
    """Bind an id to every line of the log.  An error's own words may name people: they stay here.

    A database that does not answer is told as it is, by whoever started the run.
    """
    with bound_contextvars(run=f"{kind} {secrets.token_hex(4)}"):
        try:
            yield
        except (SourceError, OperationalError):
            raise
        except Exception as error:
            if isinstance(error.__cause__, UndefinedTable | UndefinedColumn):
                raise  # the database was not migrated: whoever started the run says so
            log.error("the %s failed: %s", kind, type(error).__name__, exc_info=error)
            words = f"The {kind} failed ({type(error).__name__}); the log says where."
            raise RunFailedError(words) from None

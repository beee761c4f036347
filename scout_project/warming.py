"""What a web process gets ready while nobody waits for it."""

import logging
from threading import Thread

from django.db import DatabaseError, connection

from deliveries.work.clock import Clock
from jobs.recent import recent_jobs

log = logging.getLogger(__name__)


def warm_up() -> Thread:
    """Begin to make the table of recent jobs, on which previews are judged; it takes seconds.

    Whoever asks meanwhile waits for the same table.  A database in trouble is only told of.
    """
    thread = Thread(target=_warm_up, name="warm up", daemon=True)
    thread.start()
    return thread


def _warm_up() -> None:
    try:
        recent_jobs(now=Clock().now())
    except DatabaseError as error:
        log.warning("previews are not prepared: %s", type(error).__name__)
    finally:
        connection.close()

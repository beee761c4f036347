"""Logs: JSON lines in production, for people in development, and never anybody's data.

Call sites use the standard library's `logging`; values go into `extra`.  A run's or request's id
is bound with structlog's context variables and stands in every line.
"""

import secrets
import sys
import traceback
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

import structlog
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bound_contextvars, merge_contextvars
from structlog.stdlib import ProcessorFormatter

from scout_project.scrubbing import scrub

Event = MutableMapping[str, Any]
_ROOT = Path(__file__).resolve().parent.parent
_MOST_CAUSES = 5
_ID = "request_id"


def configuration(*, people: bool) -> dict[str, Any]:
    """The LOGGING setting: everything goes to standard error."""
    before = [
        merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        _without_objects,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]
    formatter = {
        "()": ProcessorFormatter,
        "foreign_pre_chain": before,
        "processors": _for_people() if people else _for_machines(),
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"structured": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.server": {"handlers": [], "level": "INFO", "propagate": True},
            # To people a command says on standard output how its run ended.
            "deliveries.running.runs": {"level": "WARNING" if people else "INFO"},
        },
    }


def _for_machines() -> list[Any]:
    render = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
    return [ProcessorFormatter.remove_processors_meta, _errors_without_words, _scrubbed, render]


def _for_people() -> list[Any]:
    render = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(),
        timestamp_key="at",
        exception_formatter=structlog.dev.plain_traceback,
    )
    return [ProcessorFormatter.remove_processors_meta, _scrubbed, render]


def _without_objects(_logger: object, _method: str, event: Event) -> Event:
    """Put its id in place of the request that Django adds, and leave out its second time."""
    event.pop("server_time", None)
    known = getattr(event.pop("request", None), _ID, None)
    return event if known is None else {**event, _ID: known}


def _scrubbed(_logger: object, _method: str, event: Event) -> Event:
    """Hide addresses, keys made of them, tokens and secrets, wherever in the line they stand."""
    return {name: value if name == "exc_info" else scrub(value) for name, value in event.items()}


def _errors_without_words(_logger: object, _method: str, event: Event) -> Event:
    """Replace an error by its type, the database's codes and the lines it passed.

    Its own words may hold anything: PostgreSQL quotes the values of a failing row.
    """
    found = event.pop("exc_info", None)
    event.pop("stack", None)
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, BaseException):
        event["error"] = _chain(error)
    return event


def _chain(error: BaseException | None) -> list[dict[str, Any]]:
    links: list[dict[str, Any]] = []
    while error is not None and len(links) < _MOST_CAUSES:
        links.append(_facts(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return links


def _facts(error: BaseException) -> dict[str, Any]:
    facts: dict[str, Any] = {"type": f"{type(error).__module__}.{type(error).__qualname__}"}
    diagnosis = getattr(error, "diag", None)
    for name in ("sqlstate", "table_name", "constraint_name"):
        value = getattr(diagnosis, name, None)
        if isinstance(value, str):
            facts[name] = value
    lines = traceback.extract_tb(error.__traceback__)
    facts["lines"] = [f"{_short(line.filename)}:{line.lineno} {line.name}" for line in lines]
    return facts


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else "/".join(path.parts[-3:])


def request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware: every line logged while a request is answered carries one id."""

    def middleware(request: HttpRequest) -> HttpResponse:
        setattr(request, _ID, secrets.token_hex(4))  # Django tells of the end after all middleware
        with bound_contextvars(**{_ID: getattr(request, _ID)}):
            return get_response(request)

    return middleware

"""The body of one request to the inbox: JSON to postings, rejections and what its sender tells."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from jobs.inbox.events import Event, event_of
from jobs.postings.botwall import BotWall, wall_in
from jobs.postings.fields import each, facts
from jobs.postings.posting import Posting
from jobs.postings.rows_json import json_rows
from jobs.rows import BadRow, sort_rows
from jobs.source_health import HEALTHY, State

MOST_ROWS: Final = 2_000


class NoJsonError(ValueError):
    """The body cannot be read; the message says why and what to send."""


class TooManyError(ValueError):
    """The body holds more jobs than one request may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a body holds; `state` is the sender's now, or None when it told nothing of it."""

    postings: tuple[Posting, ...] = ()
    rejected: tuple[BadRow, ...] = ()
    half_understood: tuple[BadRow, ...] = ()
    state: State | None = None


def read(body: bytes, *, at: datetime) -> Reading:
    """The body of a request received at `at`: one object, a list, or an object around a list.

    Raises NoJsonError for what is no JSON, or neither object nor list, and TooManyError.
    """
    text, whole = _parsed(body)
    rows = [row for _, row in json_rows(text)]
    if len(rows) > MOST_ROWS:
        raise TooManyError(f"more than {MOST_ROWS:,} jobs: send them in parts")
    told = [event for row in rows if (event := _event(row))]
    jobs = sort_rows((row for row in rows if not _event(row)), at)
    walls = {id(row): wall for row in jobs.rejected if (wall := _wall(row.raw))}
    told += [wall.state for wall in walls.values()]
    if outer := _event(whole):  # also around a list; told twice is told once
        told.append(outer)
    return Reading(
        postings=jobs.postings,
        rejected=tuple(row for row in jobs.rejected if id(row) not in walls),
        half_understood=jobs.half_understood,
        state=_state(told, bool(jobs.postings)),
    )


def _parsed(body: bytes) -> tuple[str, object]:
    try:
        text = body.decode("utf-8-sig")
        whole = json.loads(text, parse_int=float, strict=False)
    except UnicodeDecodeError:
        raise NoJsonError("the body is not UTF-8: send JSON in UTF-8") from None
    except (ValueError, RecursionError):
        what = "not JSON" if body.strip() else "empty"
        raise NoJsonError(f"the body is {what}: send one JSON object or a list") from None
    if not isinstance(whole, dict | list):
        raise NoJsonError("the body is neither a JSON object nor a list: send one of them")
    return text, whole


def _event(row: object) -> Event | None:
    has_title = isinstance(row, dict) and any(True for _ in each(facts(row), "title"))
    return event_of(row, has_title=has_title)


def _wall(row: object) -> BotWall | None:
    """The page or message that its sender met instead of jobs, where a row is that."""
    return wall_in(row) if isinstance(row, dict | str) else None


def _state(told: list[Event], brought_jobs: bool) -> State | None:
    """Trouble that is told counts; jobs, or being told so, end it."""
    states: list[State] = [event for event in told if event != "nothing"]
    if trouble := next((state for state in states if state not in HEALTHY), None):
        return trouble
    return "ok" if states or brought_jobs else None

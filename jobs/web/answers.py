"""What an answer means for a source, before anybody reads what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from accounts.retry_after import seconds_asked
from jobs.postings.botwall import BotWall, is_page, raise_at_wall
from jobs.source_health import State

_LOOKED_AT: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back; `headers` by names in lower case, `url` the last, without credentials."""

    status: int
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why there is nothing to read; `retry_after` in seconds."""

    state: State
    detail: str
    retry_after: float | None = None


def trouble_in(answer: Answer, *, now: datetime) -> Trouble | None:
    """The trouble an answer tells of, or None when its body is worth reading.

    Bot walls and log-in pages are known with any status; an empty body is never fine.
    """
    retry_after = seconds_asked(answer.headers.get("retry-after", ""), since=now)
    state, detail = _told(answer, retry_after)
    return None if state == "ok" else Trouble(state=state, detail=detail, retry_after=retry_after)


def _told(answer: Answer, retry_after: float | None) -> tuple[State, str]:
    status, head = answer.status, answer.body[:_LOOKED_AT].decode("utf-8", "replace")
    try:
        raise_at_wall(head)
    except BotWall as wall:
        return wall.state, f"It answers {status} with {wall}."
    if 200 <= status < 300:
        if not answer.body.strip():
            return "broken", f"Its answer ({status}) is empty."
        return ("broken", "A web page came instead.") if is_page(head) else ("ok", "")
    if status == 403 and "captcha" in head.lower():
        return "blocked", "It answers 403 and wants a captcha solved."
    if status in (401, 403, 407):
        return "unauthorised", f"It refuses ({status}): correct the address or its credentials."
    if status == 429 or (status == 503 and retry_after is not None):
        return "throttled", f"It asks to be left alone for a while ({status})."
    if status in (404, 410):
        return "broken", f"There is nothing at its address ({status})."
    return "broken", f"It answers {status}."

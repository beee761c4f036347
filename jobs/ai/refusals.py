"""What a provider says of a request that it refuses, as far as that makes a difference."""

import re
from typing import Any, Final

from jobs.ai.wire import loads

# Some answer a post that their filter stops with a status, instead of a refusal in a 200.
_POLICY: Final = re.compile(
    r"content[ _-]?(?:filter|policy|management)|moderation|flagged|safety", re.IGNORECASE
)
_OF_THE_POST: Final = frozenset({400, 403, 422, 451})
_LONGEST: Final = 5_000


def refuses_temperature(status: int, body: bytes) -> bool:
    """Whether the request would do without its `temperature`; never raises."""
    error = _error(body) if status == 400 else {}
    if error.get("param") is not None:
        return bool(error["param"] == "temperature")
    return "temperature" in str(error.get("message"))


def refuses_post(status: int, body: bytes) -> bool:
    """Whether a policy stands in the way of what was sent, and of nothing else; never raises."""
    error = _error(body) if status in _OF_THE_POST else {}
    said = (str(error.get(name))[:_LONGEST] for name in ("code", "type", "message"))
    return any(map(_POLICY.search, said))


def _error(body: bytes) -> dict[str, Any]:
    """The object `error` of an answer in either shape; empty without one."""
    try:
        answer = loads(body)
    except ValueError:
        return {}
    error = answer.get("error") if isinstance(answer, dict) else None
    return error if isinstance(error, dict) else {}

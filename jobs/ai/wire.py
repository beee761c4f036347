"""Requests and answers in the two public shapes that nearly every provider speaks.

OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat), which local
servers speak as well, and Anthropic's messages (https://docs.anthropic.com/en/api/messages).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jobs.ai.naming import Model
from jobs.ai.prompt import INSTRUCTIONS, SCHEMA, Message

_TOOL: Final = "give_verdicts"


@dataclass(frozen=True, slots=True)
class Request:
    """One POST.  `most_in` and `most_out` are the most tokens that it can be charged for."""

    url: str
    body: bytes
    most_in: int
    most_out: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them."""

    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Said:
    """An answer unpacked: what the model gave (a JSON text, or a value), what was used (None: not
    stated), and the trouble that makes it worthless ("" for none)."""

    given: Any
    usage: Usage | None
    trouble: str = ""


def request_of(model: Model, message: Message, *, temperature: bool = True) -> Request:
    """The request that asks this model, without the key; some models refuse any `temperature`."""
    most_out = message.most_tokens
    path, asked = _shape(model, message, most_out)
    if not temperature:
        del asked["temperature"]
    body = json.dumps(asked, ensure_ascii=False).encode()
    # A token stands for one byte at least; providers frame messages and tools with some more.
    return Request(f"{model.address}{path}", body, len(body) + 1_000, most_out)


def headers_of(model: Model, key: str) -> dict[str, str]:
    """The headers, the key among them where there is one."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if model.kind == "anthropic":
        headers["anthropic-version"] = "2023-06-01"
        return headers | ({"x-api-key": key} if key else {})
    return headers | ({"Authorization": f"Bearer {key}"} if key else {})


def _shape(model: Model, message: Message, most_out: int) -> tuple[str, dict[str, Any]]:
    user = {"role": "user", "content": message.text}
    asked: dict[str, Any] = {"model": model.name, "temperature": 0}
    if model.kind == "anthropic":
        tool = {"name": _TOOL, "description": "Give the verdicts.", "input_schema": SCHEMA}
        return "/messages", asked | {
            "max_tokens": most_out,
            "system": INSTRUCTIONS,
            "messages": [user],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL},
        }
    # OpenAI's newer models refuse the older name, and most other servers know no other.
    limit = "max_completion_tokens" if model.at_home else "max_tokens"
    schema = {"name": _TOOL, "strict": True, "schema": SCHEMA}
    return "/chat/completions", asked | {
        limit: most_out,
        "messages": [{"role": "system", "content": INSTRUCTIONS}, user],
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


def said_in(model: Model, body: bytes) -> Said:
    """What the body of an answer 2xx says; never raises."""
    try:
        answer = loads(body)
    except ValueError:
        return Said(None, None, "the answer is no JSON")
    if not isinstance(answer, dict):
        return Said(None, None, "the answer is no object")
    return _anthropic(answer) if model.kind == "anthropic" else _openai(answer)


def loads(text: str | bytes) -> Any:
    """JSON, strictly: a key twice is an error, NaN and its like are None.  Raises ValueError."""
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=lambda _: None)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _openai(answer: Mapping[str, Any]) -> Said:
    usage = _usage(answer.get("usage"), ("prompt_tokens",), "completion_tokens", "total_tokens")
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Said(None, usage, "the answer is empty")
    ended = choice.get("finish_reason")
    if message.get("refusal") or ended == "content_filter":
        return Said(None, usage, "refused by the provider's policy")
    if ended == "length":
        return Said(None, usage, "the answer is cut short")
    given = message.get("content") or _argument(message.get("tool_calls"))
    return Said(given, usage, "" if given else "the answer is empty")


def _argument(calls: object) -> Any:
    """The arguments of the only tool call: some servers answer a schema with one."""
    if not isinstance(calls, list) or len(calls) != 1 or not isinstance(calls[0], dict):
        return None
    function = calls[0].get("function")
    return function.get("arguments") if isinstance(function, dict) else None


def _anthropic(answer: Mapping[str, Any]) -> Said:
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    usage = _usage(answer.get("usage"), names, "output_tokens")
    ended = answer.get("stop_reason")
    if ended == "refusal":
        return Said(None, usage, "refused by the provider's policy")
    if ended == "max_tokens":
        return Said(None, usage, "the answer is cut short")
    content = answer.get("content")
    blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
    tools = [b.get("input") for b in blocks if b.get("type") == "tool_use"]
    texts = [b.get("text") for b in blocks if b.get("type") == "text"]
    if len(tools) > 1:
        return Said(None, usage, "the answer calls several tools")
    given = (tools or texts or [None])[0]
    return Said(given, usage, "" if given else "the answer is empty")


def _usage(
    said: object, names_in: tuple[str, ...], name_out: str, name_all: str = ""
) -> Usage | None:
    """The tokens stated; None unless the first and the last name hold sane numbers.

    Some servers count what a model thinks aloud in the total alone; it is paid for as written.
    """
    if not isinstance(said, dict):
        return None
    stated = [said.get(names_in[0]), *(said.get(name) or 0 for name in names_in[1:])]
    read, written = [_count(n) for n in stated], _count(said.get(name_out))
    if written is None or None in read:
        return None
    tokens_in = sum(n or 0 for n in read)
    if not tokens_in:  # nothing is answered to nothing: a server that does not count
        return None
    return Usage(tokens_in, max(written, (_count(said.get(name_all)) or 0) - tokens_in))


def _count(said: object) -> int | None:
    return said if type(said) is int and 0 <= said <= 10**7 else None

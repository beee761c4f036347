"""Providers of language models on loopback, OpenAI and Anthropic in one, misbehaving as told."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.http_provider import Answer, HttpProvider, Request, answer

KINDS = ("openai", "anthropic")
USED = (1_000, 200)  # tokens read and written, unless told otherwise


def opinion(id_: str, score: Any = 80, **values: Any) -> dict[str, Any]:
    """One verdict as the schema wants it."""
    words = {"reasons": ["It fits."], "concerns": [], "red_flags": []}
    return {"id": id_, "score": score, **words, **values}


def body(kind: str, given: Any, *, used: Any = USED, ended: str = "", tool: bool | None = None):
    """The body of an answer 200 in this provider's shape; `given` a value, or a text as it is."""
    if kind == "anthropic":
        block = {"type": "text", "text": given}
        if tool is not False and not isinstance(given, str):
            block = {"type": "tool_use", "id": "t1", "name": "give_verdicts", "input": given}
        usage = {"input_tokens": used[0], "output_tokens": used[1]} if used else None
        said = {"content": [block], "stop_reason": ended or "tool_use", "usage": usage}
    else:
        text = given if isinstance(given, str) else json.dumps(given)
        calls = [{"type": "function", "function": {"name": "give_verdicts", "arguments": text}}]
        message = {"content": None, "tool_calls": calls} if tool else {"content": text}
        usage = {"prompt_tokens": used[0], "completion_tokens": used[1]} if used else None
        choice = {"message": message, "finish_reason": ended or "stop"}
        said = {"choices": [choice], "usage": usage}
    return json.dumps(said).encode()


def given(kind: str, *opinions: Any, **how: Any) -> Answer:
    """An answer 200 with these verdicts."""
    return answer("200 OK", body(kind, {"verdicts": list(opinions)}, **how))


def asked(request: Request) -> dict[str, Any]:
    """A request's body."""
    return json.loads(request.body)


def message(request: Request) -> str:
    """The user's message in a request."""
    return asked(request)["messages"][-1]["content"]


def ids(request: Request) -> list[str]:
    """The ids that verdicts were asked for."""
    return re.findall(r"^⟦post (j\d+)⟧$", message(request), re.MULTILINE)


def posts(request: Request) -> dict[str, dict[str, Any]]:
    """The posts of a request by their ids, as the model reads them."""
    found = re.findall(r"^⟦post (j\d+)⟧\n(.*)\n⟦/post \1⟧$", message(request), re.MULTILINE)
    return {id_: json.loads(line) for id_, line in found}


class FakeModel(HttpProvider):
    """A provider that answers call n by `script[n]` (None: as it should), later ones by `then`.

    What it should: every post gets what `judge` makes of it, a score or a whole verdict.
    """

    def __init__(
        self,
        kind: str = "openai",
        script: Sequence[Answer | None] = (),
        *,
        then: Answer | None = None,
        judge: Callable[[dict[str, Any]], Any] = lambda post: 80,
    ) -> None:
        super().__init__(script, then=then)
        self.kind, self.judge = kind, judge

    @property
    def scorer(self) -> str:
        """What SCOUT_SCORER has to be."""
        return f"{self.kind}:test-model@{self.url}v1"

    def _take(self, request: Request) -> Answer:
        judged = {id_: self.judge(post) for id_, post in posts(request).items()}
        made = [v if isinstance(v, dict) else opinion(id_, v) for id_, v in judged.items()]
        return given(self.kind, *made)

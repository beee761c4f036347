"""What a model gave, made into verdicts: each id alone, and nothing believed without a look."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jobs.ai.links import without_links
from jobs.ai.prompt import as_seen
from jobs.ai.wire import loads

_KEYS: Final = frozenset({"id", "score", "reasons", "concerns", "red_flags"})
_MOST_LINES: Final = 5
_LONGEST_LINE: Final = 200
_THOUGHT: Final = "</think>"  # as open models end what they think aloud


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's verdict on one post: 0 to 100, with plain sentences."""

    score: int
    reasons: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    red_flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opinions:
    """The verdicts by id, and for every other id asked for why there is none."""

    found: Mapping[str, Opinion]
    errors: Mapping[str, str]

    @property
    def trouble(self) -> str:
        """What is wrong with some of it, in one line; "" for nothing."""
        return "; ".join(f"{id_}: {why}" for id_, why in self.errors.items())


def opinions_in(given: Any, ids: Sequence[str]) -> Opinions:
    """Read what was given (a JSON text or the value) for these ids.

    An id that is missing, repeated or has a verdict outside the schema has none, alone; ids that
    nobody asked for are passed over.
    """
    items = _items(given)
    if items is None:
        return Opinions({}, dict.fromkeys(ids, "the answer is outside the schema"))
    counts = Counter(item.get("id") for item in items if isinstance(item.get("id"), str))
    by_id = {item["id"]: item for item in items if isinstance(item.get("id"), str)}
    found: dict[str, Opinion] = {}
    errors: dict[str, str] = {}
    for id_ in ids:
        if counts[id_] != 1:
            errors[id_] = "its id is repeated" if counts[id_] else "its id is missing"
        elif (opinion := _opinion(by_id[id_])) is None:
            errors[id_] = "its verdict is outside the schema"
        else:
            found[id_] = opinion
    return Opinions(found, errors)


def _items(given: Any) -> list[dict[str, Any]] | None:
    if isinstance(given, str):
        given = _value(given)
    if not isinstance(given, dict) or given.keys() != {"verdicts"}:
        return None
    items = given["verdicts"]
    if not isinstance(items, list):
        return None
    return [item for item in items if isinstance(item, dict)]


def _value(text: str) -> Any:
    """The JSON value that a text is, or all that it gives after thinking aloud, in a fence or not;
    None for any other text, and so for prose, which may quote a post, around a value."""
    for said in (text, _unfenced(text.rpartition(_THOUGHT)[2].strip())):
        try:
            return loads(said)
        except ValueError:
            continue
    return None


def _unfenced(text: str) -> str:
    if len(text) < 6 or not (text.startswith("```") and text.endswith("```")):
        return text
    inside = text[3:-3]
    return inside[4:] if inside[:4].casefold() == "json" else inside


def _opinion(item: Mapping[str, Any]) -> Opinion | None:
    """The verdict, or None for one outside the schema; a score is a number without a fraction."""
    if item.keys() != _KEYS:
        return None
    score = item["score"]
    if isinstance(score, float) and score.is_integer():
        score = int(score)
    if type(score) is not int or not 0 <= score <= 100:
        return None
    lines = [_lines(item[key]) for key in ("reasons", "concerns", "red_flags")]
    if any(found is None for found in lines):
        return None
    return Opinion(score, *(found or () for found in lines))


def _lines(value: object) -> tuple[str, ...] | None:
    """At most five sentences as people may read them: one line, no links, nothing unseen."""
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        return None
    shown = (_shown(line) for line in value[:_MOST_LINES])
    return tuple(line for line in shown if line)


def _shown(line: str) -> str:
    text = unicodedata.normalize("NFC", line[: 10 * _LONGEST_LINE])
    visible = " ".join("".join(map(as_seen, text)).split())
    short = without_links(visible)  # last: what nobody sees may split a link
    return short if len(short) <= _LONGEST_LINE else short[: _LONGEST_LINE - 1] + "\u2026"

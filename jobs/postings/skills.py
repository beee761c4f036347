"""The skills a row names: lists, objects, texts, numbered columns, in however many places."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from jobs.postings.fields import Facts, each, is_stated

_LISTED: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_SEPARATORS: Final = re.compile(r"[,;|\n\t•·]")
_NAMES: Final = (
    "prettyName prefLabel pretty_name name label skill title freeText freetext text value slug"
).split()
_NAME_IN: Final = re.compile(r"(?:name|label|title)_?[A-Za-z]{2}")
_MOST: Final = 500
_LONGEST: Final = 10_000


def skill_names(stated: Facts) -> Iterator[str]:
    """The raw names under every key that means skills; of weaker keys, the first that holds some.

    Where a list is there, texts that repeat it count too: who cleans the names drops repeats.
    """
    for value in each(stated, "skills"):
        yield from _names(value)


def _names(value: object) -> Iterator[str]:
    if isinstance(value, str):
        text = value[:_LONGEST].strip()
        if text[:1] == "[" and text[-1:] == "]":
            yield from _of_list(text)
        elif is_stated(text):
            yield from _SEPARATORS.split(text)
    elif isinstance(value, Mapping):
        named = list(_name(value))
        lists = (part for part in value.values() if isinstance(part, list))
        yield from named or (name for part in lists for name in _names(part))
    elif isinstance(value, list | tuple):
        for item in value[:_MOST]:
            if isinstance(item, Mapping):
                yield from _name(item)
            elif isinstance(item, str) and is_stated(item):
                yield item


def _of_list(text: str) -> Iterator[str]:
    """The names in a list written as JSON or as Python prints it."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        yield from (single or double for single, double in _LISTED.findall(text))
    else:
        yield from _names(found) if isinstance(found, list) else ()


def _in_languages(item: Mapping[object, object]) -> list[str]:
    """The keys of names in one language, such as `nameEn`, English first."""
    keys = [key for key in item if isinstance(key, str) and _NAME_IN.fullmatch(key)]
    return sorted(keys, key=lambda key: key[-2:].lower() != "en")


def _name(item: Mapping[object, object]) -> Iterator[str]:
    """The name in an object, or in the one object inside it."""
    inner = item.get("skill") or item.get("node") or item.get("attribute")
    parts = (item, inner) if isinstance(inner, Mapping) else (item,)
    names = [part.get(name) for part in parts for name in (*_NAMES, *_in_languages(part))]
    yield from [name for name in names if isinstance(name, str) and is_stated(name)][:1]

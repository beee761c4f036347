"""Values wrapped by the tools that carried them: typed values, lists of pairs, JSON in a text."""

import ast
import json
import warnings
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

# Keys under which serialisers keep the one value of an object.
_VALUE_KEYS: Final = (
    "#text $t _ __cdata _cdata #cdata $ rendered stringValue integerValue doubleValue booleanValue "
    "timestampValue S N BOOL $oid $date $numberLong $numberInt $numberDecimal $numberDouble "
    "plain_text value raw rawValue text content label displayValue display formatted name code "
    "href iso date seconds _seconds epoch"
).split()
_NAME_KEYS: Final = "name key label field property title attribute heading".split()
_PAIR_VALUES: Final = "value values val content text displayValue display".split()
_LONGEST_JSON: Final = 1_000_000
_LONGEST_REPR: Final = 50_000
_MOST_PAIRS: Final = 200


def unboxed(value: object) -> object:
    """The one value inside a list of one, or an object that only wraps it; else the value."""
    for _ in range(4):
        inner = value
        if isinstance(value, list | tuple) and len(value) == 1:
            inner = value[0]
        elif isinstance(value, str) and value[:2] in ("['", '["') and value.count(value[1]) == 2:
            inner = value[2:-2]
        elif isinstance(value, Mapping):
            inner = next((value[key] for key in _VALUE_KEYS if value.get(key) is not None), value)
        if inner is value:
            return value
        value = inner
    return value


def as_mapping(value: object) -> Mapping[object, object] | None:
    """The object a value is: itself, a list of names with values, or the JSON of one."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, list | tuple):
        if len(value) == 1 and isinstance(value[0], Mapping) and not _is_pair(value[0]):
            return value[0]
        return pairs(value)
    if isinstance(value, str) and value[:1] in "{[" and value.rstrip()[-1:] in ("}", "]"):
        return _of_text(value)
    return None


def pairs(items: list[object] | tuple[object, ...]) -> dict[object, object] | None:
    """A list of `{name, value}` objects, or of `[name, value]` lists, as one object."""
    if not 1 <= len(items) <= _MOST_PAIRS:
        return None
    made: dict[object, object] = {}
    for item in items:
        if isinstance(item, Mapping) and (pair := _is_pair(item)):
            name, value = item.get(pair[0]), item.get(pair[1])
        elif isinstance(item, list | tuple) and len(item) == 2:
            name, value = item
        else:
            return None
        if not isinstance(name, str):
            return None
        made.setdefault(name, value)
    return made


def in_units(value: object) -> object:
    """An amount in cents as one in whole units; other values as they are."""
    value = unboxed(value)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        exact = Decimal(str(value).strip()[:40]) / 100
    except InvalidOperation:
        return None
    return str(exact) if exact.is_finite() and abs(exact) < 10**15 else None


def _is_pair(item: Mapping[object, object]) -> tuple[str, str] | None:
    """The keys of a name and of its value, when an object is hardly more than such a pair."""
    if len(item) > 5:
        return None
    name = next((key for key in _NAME_KEYS if isinstance(item.get(key), str)), None)
    value = next((key for key in _PAIR_VALUES if key in item and key != name), None)
    return (name, value) if name and value else None


def _of_text(text: str) -> Mapping[object, object] | None:
    """The object in a text of JSON, or in what Python prints for one."""
    if len(text) > _LONGEST_JSON:
        return None
    found: object = None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        if len(text) <= _LONGEST_REPR and text[:1] == "{":
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of odd escapes in the text
                    found = ast.literal_eval(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
                return None
    if isinstance(found, list):
        return as_mapping(found)
    return found if isinstance(found, Mapping) else None

"""Figures of other scripts as the ones everybody's numbers are read with."""

import unicodedata
from typing import Final

_LONGEST: Final = 200
# Arabic separators of thousands and of decimals.
_SEPARATORS: Final = {"\u066c": ",", "\u066b": "."}


def western(value: object) -> object:
    """A short text with its digits as 0 to 9; other values as they are."""
    if not isinstance(value, str) or value.isascii() or len(value) > _LONGEST:
        return value
    return "".join(map(_western, value))


def _western(character: str) -> str:
    if character in _SEPARATORS:
        return _SEPARATORS[character]
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)

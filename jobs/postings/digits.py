"""Figures of other scripts as the ones everybody's numbers are read with."""

import unicodedata
from typing import Final

import regex

_LONGEST: Final = 200
# Pictographs that stand before a text, but for those that say yes or no, and flags.
_DECORATION: Final = regex.compile(
    r"^(?:(?![\u2713\u2714\u2705\u2717\u2718\u274c\U0001f1e6-\U0001f1ff])[\p{So}\ufe0f\u200d])+\s*(?=\S)"
)
# Arabic separators of thousands and of decimals.
_SEPARATORS: Final = {"\u066c": ",", "\u066b": "."}


def western(value: object) -> object:
    """A short text with its digits as 0 to 9 and no pictograph before; other values as they are."""
    if not isinstance(value, str) or value.isascii() or len(value) > _LONGEST:
        return value
    return _DECORATION.sub("", "".join(map(_western, value)))


def _western(character: str) -> str:
    if character in _SEPARATORS:
        return _SEPARATORS[character]
    number = unicodedata.decimal(character, None)
    return character if number is None else str(number)

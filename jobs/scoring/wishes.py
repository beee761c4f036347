"""What a search's free text asks for, and what it rules out."""

import re
from dataclasses import dataclass
from typing import Final

from jobs.text.words import fold

_SENTENCE: Final = re.compile(r"(?<=[.;!?])\s+|\n")
_DENIAL: Final = re.compile(
    r"\b(?:no|not|never|without|nor|neither|don't|won't|do not|will not|avoid|except|"
    r"excluding|instead of)\b"
)
_PARTS: Final = re.compile(r",|\bor\b|\band\b|\bbut\b|/|\.")


@dataclass(frozen=True, slots=True)
class Wishes:
    """Folded text that speaks for a job, and the folded phrases that speak against one."""

    wanted: str
    unwanted: tuple[str, ...]


def read_wishes(text: str) -> Wishes:
    """Splits `text` at its denials: from "No" or "not" to the end of the sentence is unwanted."""
    wanted: list[str] = []
    unwanted: list[str] = []
    for sentence in _SENTENCE.split(text):
        first, *denied = _DENIAL.split(fold(sentence))
        wanted.append(first.strip())
        for clause in denied:
            unwanted.extend(part.strip() for part in _PARTS.split(clause))
    return Wishes(" ".join(filter(None, wanted)), tuple(p for p in unwanted if len(p) > 1))

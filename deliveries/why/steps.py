"""One step of a job's way to somebody, as a page and the command tell it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Step:
    """What a step is called, and how it went in a sentence.

    `ok` is whether it speaks for the job's coming, None where it is neither for nor against.  A
    `part` belongs to the step before it.
    """

    name: str
    sentence: str
    ok: bool | None = None
    part: bool = False


def at(moment: datetime) -> str:
    """A moment as the steps write it."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"

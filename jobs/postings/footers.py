"""The lines of facts that Upwork's feeds and tools wrote at the end of a description."""

import re
from typing import Final

from jobs.postings.fields import labelled

_LABELS: Final = "Hourly Range|Budget|Posted On|Category|Skills|Location Requirement|Country"
_MARK: Final = re.compile(rf"(?:^|(?<=\s))({_LABELS})\s*:[ \t]*")
_LAST: Final = re.compile(r"\s*click to apply\s*$", re.IGNORECASE)
_GLUED: Final = re.compile(r"^Summary(?=[A-Z\u0400-\u042f\u0600-\u06ff0-9\U0001f300-\U0001faff])")
_FEWEST: Final = 2


def without_footer(text: str) -> tuple[str, dict[str, str]]:
    """A cleaned description without its footer, and the footer's values by their labels.

    A footer is a run of labels, "Posted On" among them, to the end; of a label that comes twice
    the first value counts.
    """
    text = _GLUED.sub("", text)
    marks = list(_MARK.finditer(text))
    begin = _beginning(marks)
    if begin is None:
        return (_LAST.sub("", text) if _LAST.search(text) else text), {}
    facts: dict[str, str] = {}
    for mark, after in zip(marks[begin:], [*marks[begin + 1 :], None], strict=True):
        value = text[mark.end() : after.start() if after else len(text)]
        facts.setdefault(mark[1], _LAST.sub("", value).strip())
    return text[: marks[begin].start()].rstrip(), facts


def of_footer(facts: dict[str, str]) -> dict[str, tuple[object, ...]]:
    """A footer's values by the fields their labels name."""
    stated: dict[str, tuple[object, ...]] = {}
    for label, value in facts.items():
        for field in labelled(label):
            stated[field] = (*stated.get(field, ()), value)
    return stated


def _beginning(marks: list[re.Match[str]]) -> int | None:
    """The place of the footer's first label: the earliest in one go up to "Posted On"."""
    posted = next((n for n, mark in enumerate(marks) if mark[1] == "Posted On"), None)
    if posted is None or len(marks) - posted < _FEWEST:
        return None
    begin = posted
    while begin and marks[begin - 1][1] in ("Hourly Range", "Budget"):
        begin -= 1
    return begin

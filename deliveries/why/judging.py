"""What the filters compared, and what a score is made of: now, or as the verdict kept it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

import numpy as np

from accounts.search_fields import too_open
from deliveries.why.steps import Step, at
from jobs.filters import FILTERS, compare
from jobs.matching import UserSearch
from jobs.models import Verdict
from jobs.scoring import score
from jobs.scoring.parts import START, in_words
from jobs.table import JobTable

# Filter name to what was wanted and what the post said, as a verdict keeps it.
Kept = Mapping[str, Sequence[object]]
Moment = Callable[[datetime], str]

_LABELS: Final = {each.name: each.label for each in FILTERS}


def judged_now(
    by: UserSearch, one: JobTable, now: datetime, verdict: Verdict | None
) -> Iterator[Step]:
    """How a search stands to the only job of a table; without a verdict, what it would score."""
    search = by.terms
    if reason := too_open(search):
        yield Step("search", f"“{search.name}” finds nothing. {reason}", ok=False)
        return
    compared = compare(search, one, 0, now)
    failed = [each for each in compared if not each.passed]
    turn = "turns" if len(failed) == 1 else "turn"
    turned_down = f"{len(failed)} of {len(compared)} filters {turn} it down"
    # A search that once let the job through may have been changed since.
    today = ", as it is now" if verdict else ""
    outcome = f"{today}: {turned_down}" if failed else " lets it through"
    yield Step("search", f"“{search.name}”{outcome}.", ok=not failed)
    for each in compared:
        name = "passes" if each.passed else "fails"
        yield Step(name, f"{each.label}: {each.sentence}", ok=each.passed, part=True)
    if verdict is None:
        yield from _would_score(by, one, passes=not failed)


def _would_score(by: UserSearch, one: JobTable, *, passes: bool) -> Iterator[Step]:
    search = by.terms
    [found] = score([search], one, np.array([0]), np.array([0]), [by.taste])
    reached = found.score >= search.min_score
    yield Step(
        "score",
        f"{'Would' if passes else 'Were it let through, it would'} score {found.score} of 100 now"
        f" for “{search.name}”; its lowest score is {search.min_score}:"
        f" {'reached' if reached else 'not reached'}.",
        ok=reached,
    )
    yield from _score_parts(found.parts)
    yield from _evidence(found.reasons, found.concerns)


def judged_then(verdict: Verdict, title: str, at: Moment = at) -> Iterator[Step]:
    """What each filter compared when the verdict was given; nothing where that is not kept."""
    if not verdict.compared:
        return
    kept: Kept = verdict.compared
    yield Step("search", f"“{verdict.search_name}” {title}, {at(verdict.made_at)}.", ok=True)
    for name, (wanted, found) in kept.items():
        asked = str(wanted)
        sentence = f"{_LABELS.get(name, name)}: {asked[:1].upper()}{asked[1:]}; {found}."
        yield Step("passed", sentence, ok=True, part=True)


def without_text(verdict: Verdict | None, dropped_at: datetime, at: Moment = at) -> Iterator[Step]:
    """What can still be told of the filters once the post's text is gone."""
    gone = f"The post's text is no longer kept since {at(dropped_at)}"
    if verdict is None:
        yield Step("text", f"{gone}: nothing can be compared or scored any more.")
    elif verdict.compared:
        yield Step("text", f"{gone}; what the filters compared is.")
        yield from judged_then(verdict, "let it through", at)
    else:
        yield Step(
            "text",
            f"{gone}, nor what the filters compared: only the score, its parts and reasons are.",
        )


def of_verdict(verdict: Verdict) -> Iterator[Step]:
    """The score that was given, its parts, and what speaks for and against the job."""
    yield Step(
        "verdict",
        f"{verdict.score} of 100 by {verdict.scorer} for “{verdict.search_name}”,"
        f" {at(verdict.made_at)}.",
    )
    if not verdict.parts:
        yield Step("parts", "Not recorded: the verdict is from before they were.", part=True)
    yield from made_of(verdict)


def made_of(verdict: Verdict) -> Iterator[Step]:
    """The parts of a score that was given, where they are kept, and what speaks for and against."""
    if verdict.parts:
        yield from _score_parts(verdict.parts)
    yield from _evidence(verdict.reasons, verdict.concerns)


def _score_parts(parts: Mapping[str, int]) -> Iterator[Step]:
    """The start, then by how many points each part moved the score from it."""
    for part, points in in_words(parts):
        if part == START:
            yield Step(part.label, f"{points:3}  {part.about}", part=True)
        else:
            yield Step(part.label, f"{points:+3}  {part.about}", ok=points > 0, part=True)


def _evidence(reasons: Sequence[str], concerns: Sequence[str]) -> Iterator[Step]:
    yield from (Step("for", reason, ok=True, part=True) for reason in reasons)
    yield from (Step("against", concern, ok=False, part=True) for concern in concerns)

"""The mail that says that nothing matched this week, to who asked for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from django.template.loader import render_to_string

from deliveries.messages import MailContext, Rendered, whole
from deliveries.messages.job_card import JobCard
from deliveries.messages.job_summary import SIZES, JobSummary, summarise
from deliveries.messages.mail_text import cut, isolate

_SIZE: Final = SIZES[1]
_LINE, _NAME = 200, 80
MOST_MISSES: Final = 5


@dataclass(frozen=True, slots=True)
class Miss:
    """A job that stayed out, and the settings that kept it out, a sentence each."""

    card: JobCard
    kept_out_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeeklyNote:
    """What the note tells: of how many jobs, what each search (its name, "" for the only one) came
    to, the nearest ones, and what kept jobs from reaching us.

    `would_fit` are jobs that the searches as they are now would let through: then what kept others
    out is not told.  `none_switched_on`: there is no search at all.
    """

    looked_at: int
    searches: Sequence[tuple[str, str]]
    causes: Sequence[str]
    misses: Sequence[Miss]
    would_fit: Sequence[JobCard]
    none_switched_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    subject: str
    heading: str
    preview: str
    because: str = "You get this because you asked to be told when nothing matched in a week"


@dataclass(frozen=True, slots=True)
class _Shown:
    job: JobSummary
    kept_out_by: list[str]


def render_weekly_note(context: MailContext, note: WeeklyNote) -> Rendered:
    """The note with at most five jobs, cut short enough for any mail reader.

    Raises as `render_alert` does; a note without jobs is one.
    """
    looked_at = f"{note.looked_at:,} job{'s' * (note.looked_at != 1)}"
    outcome = "Nothing was sent this week" if note.would_fit else "Nothing matched this week"
    words = _Words(
        subject=f"{outcome}: {looked_at} looked at",
        heading=outcome,
        preview=cut(" ".join([*note.causes, *(words for _, words in note.searches)]), 110),
    )
    shared = {
        "context": context,
        "words": words,
        "looked_at": looked_at,
        "causes": note.causes,
        "delivery_url": f"{context.site_url}/mail/",
    }
    html = render_to_string("mail/weekly.html", {**shared, **_shown(context, note, str)})
    text = render_to_string("mail/weekly.txt", {**shared, **_shown(context, note, isolate)})
    return whole(context, words.subject, html=html, text=text)


def _shown(
    context: MailContext, note: WeeklyNote, isolated: Callable[[str], str]
) -> dict[str, object]:
    def job(card: JobCard) -> JobSummary:
        return summarise(card, context.timezone, _SIZE, isolated)

    def lines(texts: Sequence[str]) -> list[str]:
        return [isolated(cut(text, _LINE)) for text in texts]

    return {
        "searches": [
            (isolated(cut(name, _NAME)), words)
            for name, words in (() if note.would_fit else note.searches)
        ],
        "none_switched_on": note.none_switched_on,
        "misses": [_Shown(job(m.card), lines(m.kept_out_by)) for m in note.misses[:MOST_MISSES]],
        "would_fit": [job(card) for card in note.would_fit[:MOST_MISSES]],
    }

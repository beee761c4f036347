"""Every mail this product sends about jobs: alert, digest and sample; `weekly_note` has the last.

All are pure functions of their arguments: no clock, no database, nothing random.  The same
arguments give the same bytes, so a digest that is sent again is the same mail.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from css_inline import CSSInliner
from django.template.loader import render_to_string

from deliveries.messages.job_card import MONTHS, WEEKDAYS, JobCard, client_line, pay_short
from deliveries.messages.job_summary import SIZES, Size, summarise
from deliveries.messages.mail_bytes import MailParts, mail_bytes
from deliveries.messages.mail_text import cut, isolate, wrap

MAX_JOBS: Final = 30  # in one mail; more are the caller's to leave for the next
MAX_BYTES: Final = 90_000  # exclusive; Gmail clips a mail at 102 kB

_INLINER = CSSInliner(load_remote_stylesheets=False)
_INDENT = re.compile(r"\n\s+")
_SUBJECT_TITLE = 70
_PREVIEW = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class MailContext:
    """What a mail needs to know beside its jobs.

    `recipient` is one bare address, `sender` "Name <address>" or an address; links are http(s),
    `site_url` without a trailing slash.  `timezone` is the reader's, an IANA name.  `envelope` is
    the mail's id (letters, digits, `_`, `-`; at most 64); `sent_date` is aware.
    """

    recipient: str
    sender: str
    site_url: str
    unsubscribe_url: str
    preferences_url: str
    timezone: str
    envelope: str
    sent_date: datetime


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail ready to be stored and sent: its subject, and all of its bytes."""

    subject: str
    raw: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What stands around the jobs; `preview` is what mail readers list beside the subject."""

    subject: str
    heading: str
    preview: str
    day: str = ""
    more_waiting: int = 0
    because: str = "You get these because you asked Upwork Scout for jobs that fit"
    note: str = ""


def render_alert(context: MailContext, cards: Sequence[JobCard]) -> Rendered:
    """The mail that goes out at once, with 1 to 30 jobs, the best first.

    Raises AddressError when the recipient cannot be written to, ValueError for no job, too
    many jobs or a context that cannot stand in a header.
    """
    _check_count(cards)
    first = _subject_title(cards[0])
    if len(cards) == 1:
        subject = " · ".join(filter(None, (first, pay_short(cards[0]))))
        heading = "A job that fits"
    else:
        subject = f"{len(cards)} jobs that fit: {first} and {len(cards) - 1} more"
        heading = f"{len(cards)} jobs that fit"
    words = _Words(subject=subject, heading=heading, preview=_preview(cards))
    return _rendered(context, cards, words)


def render_digest(
    context: MailContext, cards: Sequence[JobCard], local_date: date, more_waiting: int
) -> Rendered:
    """The mail of one day, `local_date` where the reader lives, with 1 to 30 jobs, best first.

    `more_waiting` counts the jobs that found no place in it.  Raises as `render_alert` does.
    """
    _check_count(cards)
    weekday, month = WEEKDAYS[local_date.weekday()], MONTHS[local_date.month - 1]
    day = f"{weekday} {local_date.day} {month}"
    heading = "Your best job" if len(cards) == 1 else f"Your {len(cards)} best jobs"
    words = _Words(
        subject=f"{heading} for {day}",
        heading=heading,
        preview=" · ".join(cut(card.title, _PREVIEW // 2) for card in cards[:3]),
        day=day,
        more_waiting=more_waiting,
    )
    return _rendered(context, cards, words)


def render_sample(context: MailContext, cards: Sequence[JobCard], looked_at: int) -> Rendered:
    """The mail somebody asked for to see how an alert looks, with 1 to 30 jobs, the best first.

    `looked_at` counts the jobs they are the best of.  Raises as `render_alert` does.
    """
    _check_count(cards)
    jobs = "1 job" if len(cards) == 1 else f"{len(cards)} jobs"
    words = _Words(
        subject=f"Sample: {jobs} your searches would have sent",
        heading=f"A sample: {jobs}",
        preview=f"A sample you asked for · {cut(cards[0].title, _PREVIEW)}",
        because="You get this because you pressed “Send me a sample”",
        note=f"This is a sample, as you asked. Of the last 7 days' {looked_at:,}"
        f" job{'s' * (looked_at != 1)} {'this is' if len(cards) == 1 else 'these are'} the best by"
        " your searches as they are now; some may have been mailed to you before. It changes"
        " nothing: what waits for you comes as ever.",
    )
    return _rendered(context, cards, words)


def _check_count(cards: Sequence[JobCard]) -> None:
    if not 1 <= len(cards) <= MAX_JOBS:
        raise ValueError(f"a mail holds 1 to {MAX_JOBS} jobs, not {len(cards)}")


def _subject_title(card: JobCard) -> str:
    return isolate(cut(card.title, _SUBJECT_TITLE) or "Job without a title")


def _preview(cards: Sequence[JobCard]) -> str:
    """What an alert's subject does not say: the reason of one job, the titles of the others."""
    if len(cards) > 1:
        return " · ".join(cut(card.title, _PREVIEW // 2) for card in cards[1:4])
    [card] = cards
    return cut(card.reasons[0], _PREVIEW) if card.reasons else client_line(card)


def _rendered(context: MailContext, cards: Sequence[JobCard], words: _Words) -> Rendered:
    """The mail at the largest size that keeps it within MAX_BYTES."""
    for size in SIZES:
        html, text = _bodies(context, cards, words, size)
        mail = whole(context, words.subject, html=html, text=text)
        if len(mail.raw) < MAX_BYTES:
            return mail
    raise ValueError(f"the mail has {len(mail.raw)} bytes")


def whole(context: MailContext, subject: str, *, html: str, text: str) -> Rendered:
    """Both bodies as a mail, the styles of the HTML moved to where mail readers heed them."""
    raw = mail_bytes(
        MailParts(
            sender=context.sender,
            recipient=context.recipient,
            site_url=context.site_url,
            unsubscribe_url=context.unsubscribe_url,
            envelope=context.envelope,
            sent_date=context.sent_date,
            subject=subject,
            text=wrap(text),
            html=_INLINER.inline(_INDENT.sub("\n", html)),
        )
    )
    return Rendered(subject, raw)


def _bodies(
    context: MailContext, cards: Sequence[JobCard], words: _Words, size: Size
) -> tuple[str, str]:
    """HTML and text; only the text needs isolating characters, HTML has `dir="auto"`."""
    jobs = [summarise(card, context.timezone, size) for card in cards]
    plain_jobs = [summarise(card, context.timezone, size, isolate) for card in cards]
    shared = {"context": context, "words": words}
    html = render_to_string("mail/jobs.html", {**shared, "jobs": jobs})
    text = render_to_string("mail/jobs.txt", {**shared, "jobs": plain_jobs})
    return html, text

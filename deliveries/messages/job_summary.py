"""One job as a mail shows it: every text cut to size, every link checked."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from deliveries.messages.job_card import JobCard, client_line, pay_line, posted_line, work_line
from deliveries.messages.mail_text import cut

_LINK = re.compile(r"https://[!#-;=?-~]{1,300}")
_OUR_LINK = re.compile(r"https?://[!#-;=?-~]{1,300}")
_NAME, _SKILL = 40, 30
TEXT_GONE: Final = "What the post says may be kept for a day only: open it to read it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of each job is shown: characters of its texts, counts of its lists, and whether it
    has links for saying what one thinks of it."""

    title: int
    line: int
    excerpt: int
    reasons: int
    concerns: int
    skills: int
    opinion: bool = True


# From the usual one down; at the last, 30 jobs with any texts stay within a mail's limit.
SIZES: Final = (
    Size(title=120, line=140, excerpt=280, reasons=4, concerns=3, skills=8),
    Size(title=100, line=100, excerpt=140, reasons=3, concerns=2, skills=5),
    Size(title=90, line=80, excerpt=0, reasons=2, concerns=1, skills=0),
    Size(title=60, line=40, excerpt=0, reasons=0, concerns=0, skills=0),
    Size(title=60, line=40, excerpt=0, reasons=0, concerns=0, skills=0, opinion=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSummary:
    """What the templates print; "" and empty lists are left out.  Nothing is escaped yet."""

    title: str
    url: str
    score: str
    pay: str
    work: str
    client: str
    posted: str
    search: str
    reasons: list[str]
    concerns: list[str]
    excerpt: str
    skills: str
    note: str
    more_url: str
    less_url: str


def summarise(
    card: JobCard, timezone: str, size: Size, isolated: Callable[[str], str] = str
) -> JobSummary:
    """The job at this size, times in `timezone` (IANA).

    `isolated` is applied to each text that other people wrote, after it was cut.
    """

    def some(texts: Iterable[str], length: int, count: int) -> list[str]:
        shown = (cut(text, length) for text in list(texts)[:count])
        return [isolated(text) for text in shown if text]

    links = (card.more_url, card.less_url)
    opinion = size.opinion and all(map(_OUR_LINK.fullmatch, links))
    return JobSummary(
        title=isolated(cut(card.title, size.title) or "Job without a title"),
        url=card.url if _LINK.fullmatch(card.url) else "",
        score=str(card.score),
        pay=pay_line(card),
        work=work_line(card),
        client=client_line(card),
        posted=posted_line(card, timezone),
        search=isolated(cut(card.search_name, _NAME)),
        reasons=some(card.reasons, size.line, size.reasons),
        concerns=some(card.concerns, size.line, size.concerns),
        excerpt=isolated(cut(card.description, size.excerpt)) if size.excerpt else "",
        skills=", ".join(some(card.skills, _SKILL, size.skills)),
        note=TEXT_GONE if card.text_gone else "",
        more_url=card.more_url if opinion else "",
        less_url=card.less_url if opinion else "",
    )

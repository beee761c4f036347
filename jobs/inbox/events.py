"""What browser extensions tell beside jobs: that they met a captcha, or were logged out."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from jobs.source_health import State

Event = State | Literal["nothing"]

_LONGEST: Final = 80
_KEYS: Final = frozenset(("event", "eventtype", "eventname"))
_WEAK_KEYS: Final = frozenset(("type", "kind", "action", "status", "error", "code", "reason"))
_MEANINGS: Final[tuple[tuple[re.Pattern[str], Event], ...]] = (
    (re.compile(r"solved|passed|recover|loggedin|signedin|loginok|resumed"), "ok"),
    (
        re.compile(r"captcha|challenge|cloudflare|bot(wall|check|detect)|verif(y|ication)"),
        "blocked",
    ),
    (re.compile(r"accessdenied|blocked|forbidden"), "blocked"),
    (re.compile(r"log(ged)?out|sign(ed)?out|notloggedin|session(expired|lost)"), "logged_out"),
    (re.compile(r"(login|signin|auth\w*)(required|needed|wanted|expired)"), "logged_out"),
    (re.compile(r"ratelimit|throttl|toomanyrequests"), "throttled"),
    (re.compile(r"(ping|pong|test|heartbeat|hello|started|stopped|installed)"), "nothing"),
)


def event_of(row: object, *, has_title: bool) -> Event | None:
    """What a row tells of its sender: a state, "nothing", or None for what is no event.

    Under a key that names events a known one is never a job, whatever else the row holds (the
    title of the page it stood at); under a vaguer key only without a title.  A state of "ok":
    the trouble is over.
    """
    if not isinstance(row, Mapping):
        return None
    for key, value in row.items():
        name, words = _plain(key), _plain(value)
        tells = name in _KEYS or (name in _WEAK_KEYS and not has_title)
        if tells and (meaning := _meaning(words)):
            return meaning
    return None


def _plain(value: object) -> str:
    """A short text by its letters and digits alone; "" for anything else."""
    short = value if isinstance(value, str) and len(value) <= _LONGEST else ""
    return "".join(filter(str.isalnum, short.casefold()))


def _meaning(words: str) -> Event | None:
    for pattern, meaning in _MEANINGS:
        if pattern.fullmatch(words) if meaning == "nothing" else pattern.search(words):
            return meaning
    return None

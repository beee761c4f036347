"""What browser extensions tell beside jobs: that they met a captcha, or were logged out."""

import re
from collections.abc import Mapping
from typing import Final, Literal

from jobs.source_health import State

Event = State | Literal["nothing"]

_LONGEST: Final = 80
_FEW: Final = 6  # values beside a flag; what holds more is rather a job that is not understood
_KEYS: Final = frozenset(("event", "eventtype", "eventname"))
_WEAK_KEYS: Final = frozenset(
    ("type", "kind", "action", "status", "state", "error", "code", "reason", "name", "message")
)
_IN: Final = frozenset(("loggedin", "signedin", "isloggedin", "authenticated"))
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
    title of the page it stood at); under a vaguer key, or as a flag, only without a title.  A
    state of "ok": the trouble is over.
    """
    if not isinstance(row, Mapping):
        return None
    has_title = has_title and "event" not in {_plain(row.get(key)) for key in ("type", "kind")}
    for key, value in row.items():
        name, words = _plain(key), _plain(value)
        tells = name in _KEYS or (name in _WEAK_KEYS and not has_title)
        if tells and (meaning := _meaning(words)):
            return meaning
        is_flag = isinstance(value, bool) and not has_title and len(row) <= _FEW
        if is_flag and (meaning := _flag(name, is_so=value)):
            return meaning
    return None


def _flag(name: str, *, is_so: bool) -> Event | None:
    """What `captchaRequired: true` or `loggedIn: false` says."""
    if name in _IN:
        return "ok" if is_so else "logged_out"
    meaning = _meaning(name) if is_so else None
    return meaning if meaning in ("blocked", "logged_out", "throttled") else None


def _plain(value: object) -> str:
    """A short text by its letters and digits alone; "" for anything else."""
    short = value if isinstance(value, str) and len(value) <= _LONGEST else ""
    return "".join(filter(str.isalnum, short.casefold()))


def _meaning(words: str) -> Event | None:
    for pattern, meaning in _MEANINGS:
        if pattern.fullmatch(words) if meaning == "nothing" else pattern.search(words):
            return meaning
    return None

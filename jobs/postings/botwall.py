"""What a site shows instead of its data: challenges for robots, and log-in forms."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

_PAGE: Final = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--(?:(?!-->).){0,5000}-->\s*){0,9}"
    r"<(?:!doctype\s+html|html|head|title|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_FEED: Final = re.compile(r"<(?:rss|feed|rdf:rdf)\b", re.IGNORECASE)
_TITLE: Final = re.compile(r"<title[^>]*>([^<]{0,200})", re.IGNORECASE)
_CHALLENGE: Final = re.compile(
    r"challenge|captcha|just a moment|attention required|access denied|are you (?:a )?human|"
    r"verify you are human|cf-chl|cloudflare|perimeterx|datadome|unusual traffic|"
    r"forbidden|blocked",
    re.IGNORECASE,
)
_LOG_IN: Final = re.compile(r"\blog[ -]?in\b|\bsign[ -]?in\b", re.IGNORECASE)
_PASSWORD: Final = re.compile(r"<input[^>]{0,500}type=[\"']?password", re.IGNORECASE)
# What a short text says that is not a page; words of job texts ("forbidden") are not enough.
_BLOCKED_WORDS: Final = re.compile(
    r"just a moment\b|attention required|access (?:to this page has been )?denied|captcha[ _-]?"
    r"(?:required|delivery|challenge)|(?:verify|confirm) (?:that )?you(?:'re| are) (?:a )?human|"
    r"are you (?:a )?(?:human|robot)|cf-chl|cloudflare|perimeterx|px-captcha|"
    r"datadome|unusual traffic|"
    r"checking your browser|enable javascript and cookies|press (?:&|and) hold|error code:? 10\d\d|"
    r"\bbot (?:detected|detection)|request (?:was )?blocked|"
    r"you have been blocked|challenge - upwork",
    re.IGNORECASE,
)
_LOG_IN_WORDS: Final = re.compile(
    r"(?:please|you must|you need to|must be) (?:log|sign|logged|signed)[ -]?in\b|"
    r"\blogged[ _-]?out\b|\blog ?in (?:is )?required|login_required|session (?:has )?expired|"
    r"authentication required|"
    r"not (?:logged|signed) in|not authenticated|log in to (?:continue|view|your account)|"
    r"sign in to (?:continue|view)",
    re.IGNORECASE,
)
_PX_KEYS: Final = frozenset(("blockscript", "jsclientsrc", "firstpartyenabled"))
_LOOKED_AT: Final = 200_000
_SHORT: Final = 400  # characters of a message that is no page
_MOST: Final = 300  # values looked at
_DEEPEST: Final = 5


class BotWall(Exception):  # noqa: N818 -- it is a finding about the input, no fault of the program
    """The input keeps robots or visitors out, and is no data: there are no jobs to count.

    `state` is the source's state it means.
    """

    def __init__(self, message: str, state: Literal["blocked", "logged_out"]) -> None:
        """What it is, for a person."""
        super().__init__(message)
        self.state = state


def is_page(text: str) -> bool:
    """Whether a text is an HTML page rather than data."""
    return _PAGE.match(text) is not None


def raise_at_wall(text: str) -> None:
    """Raise BotWall when the text is an HTML page that asks for a human or for a log-in."""
    if wall := _of_page(text):
        raise wall


def wall_instead(text: str) -> BotWall | None:
    """The bot wall or log-in that a text stands for in which no data were found, else None.

    Pages and parts of them, messages, and JSON of these.
    """
    text = text[:_LOOKED_AT].strip("\ufeff \t\r\n\0")
    if is_page(text) or _FEED.search(text[:1000]):
        return _of_page(text)
    if _PASSWORD.search(text):
        return _log_in_page()
    try:
        return wall_in(json.loads(text))
    except (ValueError, RecursionError):
        return _of_message(text)


def wall_in(value: object) -> BotWall | None:
    """The bot wall or log-in that a value without any posting stands for, else None.

    Known are pages inside JSON (an answer's body, a recorded visit), messages such as "Please log
    in", PerimeterX's and DataDome's objects and the events of browser extensions.
    """
    if (
        isinstance(value, Mapping)
        and len(_PX_KEYS & {key.lower() for key in value if isinstance(key, str)}) > 1
    ):
        return _blocked()
    for text in _texts(value, _DEEPEST, [_MOST]):
        if wall := _of_page(text) or _of_message(text):
            return wall
    return None


def _of_page(text: str) -> BotWall | None:
    """The wall an HTML page is.

    Known from Upwork's "Challenge - Upwork" and Cloudflare's pages.  Other pages pass.
    """
    if not is_page(text):
        return None
    text = text[:_LOOKED_AT]
    found = _TITLE.search(text)
    title = " ".join(found[1].split()) if found else ""
    if _LOG_IN.search(title) or _PASSWORD.search(text):
        return _log_in_page()
    if _CHALLENGE.search(title) or ("job-tile" not in text and _CHALLENGE.search(text)):
        return BotWall("a page that blocks robots instead of jobs", "blocked")
    return None


def _of_message(text: str) -> BotWall | None:
    if len(text) > _SHORT:
        return None
    if _LOG_IN_WORDS.search(text):
        return BotWall("a request to log in instead of jobs", "logged_out")
    return _blocked() if _BLOCKED_WORDS.search(text) else None


def _log_in_page() -> BotWall:
    return BotWall("a log-in page instead of jobs", "logged_out")


def _blocked() -> BotWall:
    return BotWall("a message that blocks robots instead of jobs", "blocked")


def _texts(value: object, depth: int, left: list[int]) -> Iterator[str]:
    """The texts in a value, not too deep and not too many."""
    if left[0] <= 0:
        return
    left[0] -= 1
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, Mapping | list | tuple):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(part, depth - 1, left)
            if left[0] <= 0:
                return

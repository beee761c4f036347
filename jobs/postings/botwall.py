"""Pages that a site shows instead of its data: challenges for robots, and log-in forms."""

import re
from typing import Final, Literal

_PAGE: Final = re.compile(
    r"\s*(?:<!--[^<]*-->\s*)?<(?:!doctype\s+html|html|head|title|body)\b", re.IGNORECASE
)
_TITLE: Final = re.compile(r"<title[^>]*>([^<]{0,200})", re.IGNORECASE)
_CHALLENGE: Final = re.compile(
    r"challenge|captcha|just a moment|attention required|access denied|are you (?:a )?human|"
    r"verify you are human|cf-chl|cloudflare|perimeterx|datadome|unusual traffic|forbidden|blocked",
    re.IGNORECASE,
)
_LOG_IN: Final = re.compile(r"\blog[ -]?in\b|\bsign[ -]?in\b", re.IGNORECASE)
_PASSWORD: Final = re.compile(r"<input[^>]{0,500}type=[\"']?password", re.IGNORECASE)
_LOOKED_AT: Final = 200_000


class BotWall(Exception):  # noqa: N818 -- it is a finding about the input, no fault of the program
    """The input is a page that keeps robots or visitors out, not data: there are no jobs to count.

    `state` is the source's state it means.
    """

    def __init__(self, message: str, state: Literal["blocked", "logged_out"]) -> None:
        """What kind of page it is, for a person."""
        super().__init__(message)
        self.state = state


def is_page(text: str) -> bool:
    """Whether a text is an HTML page rather than data."""
    return _PAGE.match(text) is not None


def raise_at_wall(text: str) -> None:
    """Raise BotWall when the text is an HTML page that asks for a human or for a log-in.

    Known from Upwork's "Challenge - Upwork" and Cloudflare's pages.  Other pages pass.
    """
    if not is_page(text):
        return
    text = text[:_LOOKED_AT]
    found = _TITLE.search(text)
    title = " ".join(found[1].split()) if found else ""
    if _LOG_IN.search(title) or _PASSWORD.search(text):
        raise BotWall("a log-in page instead of jobs", "logged_out")
    if _CHALLENGE.search(title) or ("job-tile" not in text and _CHALLENGE.search(text)):
        raise BotWall("a page that blocks robots instead of jobs", "blocked")

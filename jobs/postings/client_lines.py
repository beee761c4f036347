"""A client told in one line: "Payment verified · 4.8 of 5 · $20K+ spent · United States"."""

import re
from typing import Final

from accounts.countries import country_code

_LONGEST: Final = 300
# Phrases that name what they say, by field.
_PHRASES: Final = (
    ("verified", re.compile(r"payment (?:method )?(?:un|not )?verified", re.IGNORECASE)),
    ("rating", re.compile(
        r"(?:rating (?:is |of )?|★ ?)?\d[.,]\d+ ?"
        r"(?:(?:out )?of \d+(?: reviews?)?|/ ?5|★|stars?)", re.IGNORECASE
    )),
    ("hire_rate", re.compile(r"\d{1,3}(?:\.\d+)?% hire rate", re.IGNORECASE)),
    ("spent", re.compile(r"[^\s\d]{0,3}\d[\d.,]*[KMB]?\+? (?:total )?spent", re.IGNORECASE)),
    ("posted_jobs", re.compile(r"\d[\d,]* jobs? posted", re.IGNORECASE)),
    ("hires", re.compile(r"\d[\d,]* hires?\b(?:, \d+ active)?", re.IGNORECASE)),
)  # fmt: skip


def of_client_line(value: object) -> dict[str, tuple[object, ...]]:
    """The facts in a line about a client, by field; none where no phrase names any.

    What is left beside the phrases counts when it is a country.
    """
    text = value if isinstance(value, str) and len(value) <= _LONGEST else ""
    stated: dict[str, tuple[object, ...]] = {}
    for name, phrase in _PHRASES:
        if found := phrase.search(text):
            stated[name] = (found[0],)
            text = f"{text[: found.start()]}\n{text[found.end() :]}"
    if stated:
        parts = [part.strip(" .,-") for part in re.split(r"[·•|;\n]", text)]
        stated["country"] = tuple(part for part in parts if country_code(part))
    return stated

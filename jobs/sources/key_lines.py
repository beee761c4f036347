"""The facts that items of old Upwork feeds carry as lines at the end of their description."""

import html
import re
from typing import Final

# Label -> the key of the fact; Upwork wrote them in bold, with `<br />` between them.
_LABELS: Final = {
    "hourly range": "hourly_range",
    "budget": "budget",
    "posted on": "posted_on",
    "category": "category",
    "skills": "skills",
    "country": "client_country",
    "experience level": "experience_level",
    "duration": "duration",
    "proposals": "proposals",
}
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ENDS: Final = re.compile(r"(?:</?p>|</?div>|</?ul>|</?li>|\n)", re.IGNORECASE)
_TAGS: Final = re.compile(r"</?(?:b|strong|i|em|span|p|a)(?:\s[^<>]{0,500})?>", re.IGNORECASE)
_LINE: Final = re.compile(r"([A-Za-z][A-Za-z ]{2,20}?)\s*:\s*(.+)", re.DOTALL)
_MOST_LINES: Final = 30


def split_facts(description: str) -> tuple[str, dict[str, str]]:
    """An item's description (HTML) without the lines at its end, and what those lines state.

    Only what stands at the very end counts, as far up as every line is a known one: what clients
    write themselves is their text.  Of a fact stated twice the last one counts.
    """
    divider = _BREAK if _BREAK.search(description) else _ENDS
    lines, start = [], 0
    for end in divider.finditer(description):
        lines.append((start, description[start : end.start()]))
        start = end.end()
    lines.append((start, description[start:]))
    facts: dict[str, str] = {}
    cut = len(description)
    for at, line in reversed(lines[-_MOST_LINES:]):
        text = html.unescape(_TAGS.sub("", line)).strip()
        found = _LINE.fullmatch(text[:5_000])
        key = _LABELS.get(found[1].lower()) if found else None
        if found and key:
            facts.setdefault(key, " ".join(found[2].split()))
        elif text and text.lower() != "click to apply":
            break
        cut = at
    return (description[:cut], facts) if facts else (description, {})

"""Other people's text on its way into a mail: one line, cut, isolated, wrapped.

Postings are cleaned when they come in; nothing here relies on it, because a header or a text part
that a stray character can break would be worth an attack.
"""

import re
import textwrap
import unicodedata
from typing import Final

import regex

COLUMNS: Final = 78  # RFC 5322, section 2.1.1: what a line should stay within

_FSI, _PDI = "\u2068", "\u2069"  # first strong isolate, pop directional isolate (UAX #9)
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_BIDI_CONTROLS = re.compile(r"[\u202a-\u202e\u2066-\u2069]+")
_GRAPHEME = regex.compile(r"\X")
_INDENT = re.compile(r" *(?:[+-] |\d+\. )?")


def one_line(text: str) -> str:
    """The text without anything that ends a line, any control or any lone surrogate.

    Explicit bidirectional controls go too, so that our own isolates always pair; runs of white
    space become one space.
    """
    return " ".join(_BREAKS.sub(" ", _BIDI_CONTROLS.sub("", text)).split())


def cut(text: str, limit: int) -> str:
    """The text as one line of at most `limit` characters, cut at a word and marked with "…".

    A word longer than half of the line is cut between letters as people see them.
    """
    line = one_line(text)
    if len(line) <= limit:
        return line
    end = 0
    for grapheme in _GRAPHEME.finditer(line):
        if grapheme.end() >= limit:
            break
        end = grapheme.end()
    kept = line[: end or limit - 1]
    space = kept.rfind(" ") if line[len(kept)] != " " else len(kept)
    if space > limit // 2:
        kept = kept[:space]
    return kept.rstrip(" ,;:.-–—…") + "…"


def has_rtl(text: str) -> bool:
    """Whether the text holds a letter that is written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def isolate(text: str) -> str:
    """The text, wrapped in U+2068 and U+2069 when it has right-to-left letters.

    Without them it would reorder the punctuation and numbers that follow on the same line.
    """
    return f"{_FSI}{text}{_PDI}" if has_rtl(text) else text


def wrap(text: str) -> str:
    """Each line broken at spaces to stay within 78 columns; words, so links, stay whole.

    Continuations keep the line's indent; several blank lines become one.
    """
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip():
            lines += _isolates_closed(_wrapped(line.rstrip()))
        elif lines and lines[-1]:
            lines.append("")
    return "\n".join(lines).strip("\n") + "\n"


def _wrapped(line: str) -> list[str]:
    indent = _INDENT.match(line)
    return textwrap.wrap(
        line,
        COLUMNS,
        subsequent_indent=" " * (indent.end() if indent else 0),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _isolates_closed(lines: list[str]) -> list[str]:
    """An isolate ends with its line (UAX #9, rule BD9): open it again on the next."""
    closed: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            text = line.lstrip(" ")
            line = " " * (len(line) - len(text)) + _FSI + text
        is_open = line.rfind(_FSI) > line.rfind(_PDI)
        closed.append(line + _PDI if is_open else line)
    return closed

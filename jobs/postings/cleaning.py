"""Hostile text from any source to plain text that is safe to store, show and mail.

Entities are decoded once, so a doubly escaped `&amp;amp;` becomes `&amp;` and cleaning is
idempotent for every text but those that still hold an entity afterwards.  Who reads back a text
that was cleaned before says `escaped=False`: then `clean(clean(x)) == clean(x)` for every str.
Nothing here raises for any str.  Characters are judged by the Unicode version of this Python.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

import regex

LONGEST_TITLE: Final = 300
LONGEST_TEXT: Final = 20_000
LONGEST_SKILL: Final = 80
MOST_SKILLS: Final = 50

# Work is bounded before anything else looks at a text.
_LONGEST_RAW: Final = 200_000
# A grapheme may be endless ("zalgo"): at most this many code points for each allowed one.
_POINTS_EACH: Final = 3

_BLOCKS: Final = (
    "address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|main|"
    "nav|ol|p|pre|section|table|tbody|tfoot|thead|tr|ul"
)
_INLINE: Final = (
    "a|abbr|b|big|body|button|center|code|del|em|figcaption|font|head|html|i|iframe|img|input|ins|kbd|"
    "label|mark|meta|o:p|q|s|samp|script|small|span|strike|strong|style|sub|sup|svg|td|th|time|title|tt|u|wbr"
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_COMMENT: Final = re.compile(r"<!--[^<>]*-->|<!doctype[^<>]*>", re.IGNORECASE)
_HIDDEN: Final = tuple(
    (
        re.compile(rf"<{name}(?:\s[^<>]*)?>", re.IGNORECASE),
        re.compile(rf"</{name}\s*>", re.IGNORECASE),
    )
    for name in ("script", "style")
)
_BLOCK: Final = re.compile(rf"</?(?:{_BLOCKS})(?:[\s/][^<>]*)?>[ \t]*\n?", re.IGNORECASE)
_TAG: Final = re.compile(rf"</?(?:{_INLINE})(?:[\s/][^<>]*)?>", re.IGNORECASE)
_CELL: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_HIT: Final = re.compile(r"H\^((?:(?!H\^|\^H).)*)\^H", re.DOTALL)

_LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_BLANKS: Final = regex.compile(r"[\t\p{Zs}]+")
_AROUND_LINES: Final = re.compile(r" *\n *")
_BLANK_LINES: Final = re.compile(r"\n{3,}")
_ZWJ: Final = "\u200d"
_LOOSE_ZWJ: Final = regex.compile(
    r"(?<!\p{Extended_Pictographic}[\uFE0F\U0001F3FB-\U0001F3FF]?)\u200d"
    r"|\u200d(?!\p{Extended_Pictographic})"
)
_PLAIN: Final = re.compile(r"[\x20-\x25\x27-\x3b\x3d-\x7e\n]*")
_GRAPHEME: Final = regex.compile(r"\X")


def clean_text(raw: str, *, escaped: bool = True) -> str:
    """A description: plain text with `\\n` line ends, at most 20,000 graphemes.

    Block tags become line ends, other tags vanish; at most one blank line in a row.
    `escaped=False` leaves entities alone.
    """
    return _cut(_tidy(raw, escaped), LONGEST_TEXT)


def clean_title(raw: str, *, escaped: bool = True) -> str:
    """A title: one line of plain text, at most 300 graphemes; "" when nothing is left."""
    return _cut(_line(raw, escaped), LONGEST_TITLE)


def clean_skill(raw: str, *, escaped: bool = True) -> str:
    """One skill: one line of plain text, at most 80 graphemes; "" when nothing is left."""
    return _cut(_line(raw, escaped), LONGEST_SKILL)


def clean_skills(raws: Iterable[str], *, escaped: bool = True) -> tuple[str, ...]:
    """Cleaned skills in their order, each once whatever its case, at most 50.

    Counts of what a page did not show ("+3", "12 more") are no skills.
    """
    kept: dict[str, str] = {}
    for raw in raws:
        skill = clean_skill(raw, escaped=escaped)
        if skill and not re.fullmatch(r"\+\d+|\d+ more", skill):
            kept.setdefault(skill.casefold(), skill)
        if len(kept) == MOST_SKILLS:
            break
    return tuple(kept.values())


def _line(raw: str, escaped: bool) -> str:
    return " ".join(_tidy(raw[:_LONGEST_RAW], escaped).split())


def _tidy(raw: str, escaped: bool) -> str:
    text = raw[:_LONGEST_RAW]
    if not _PLAIN.fullmatch(text):
        if escaped and "&" in text:
            text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
        text = _LINE_ENDS.sub("\n", text)
        if not text.isascii() or not text.isprintable():
            text = _visible(text)
    if "<" in text or "H^" in text:
        text = unicodedata.normalize("NFC", _without_markup(text))
    if "\t" in text or not text.isascii() or "  " in text:
        text = _BLANKS.sub(" ", text)
    if "\n" in text:
        text = _BLANK_LINES.sub("\n\n", _AROUND_LINES.sub("\n", text))
    return text.strip(" \n")


def _visible(text: str) -> str:
    """The text in NFC without characters of category C; a ZWJ stays between pictographs."""
    dropped = {
        ord(c): None
        for c in set(text)
        if c not in "\n\t" and c != _ZWJ and unicodedata.category(c)[0] == "C"
    }
    text = text.translate(dropped) if dropped else text
    if _ZWJ in text:
        text = _LOOSE_ZWJ.sub("", text)
    return unicodedata.normalize("NFC", text)


def _without_markup(text: str) -> str:
    """The text between the tags, marks of search hits gone too.

    Tags hidden in tags come out within three rounds, or the text is hostile and loses every `<`.
    """
    for _ in range(3):
        before = text
        text = _COMMENT.sub("", _without_hidden(text))
        text = _CELL.sub(" ", _BLOCK.sub("\n", text))
        text = _HIT.sub(r"\1", _TAG.sub("", text))
        if text == before:
            return text
    return text.replace("<", "").replace("H^", "").replace("^H", "")


def _without_hidden(text: str) -> str:
    """The text without what script and style elements hold; an unclosed one stays."""
    for opening, closing in _HIDDEN:
        kept, end = [], 0
        while opened := opening.search(text, end):
            closed = closing.search(text, opened.end())
            if closed is None:
                break
            kept.append(text[end : opened.start()])
            end = closed.end()
        text = " ".join([*kept, text[end:]])
    return text


def _cut(text: str, most: int) -> str:
    """The text with at most `most` graphemes and three times as many code points."""
    if len(text) <= most:
        return text
    end = count = 0
    for grapheme in _GRAPHEME.finditer(text):
        if count == most - 1:
            cut_at = end
        if count == most or grapheme.end() > _POINTS_EACH * most:
            break
        end, count = grapheme.end(), count + 1
    else:
        return text
    if count == most:
        end = cut_at
    end = end or _POINTS_EACH * most - 1
    return text[: min(end, _POINTS_EACH * most - 1)].rstrip(" \n" + _ZWJ) + "…"

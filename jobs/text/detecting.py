"""The language a post is written in.

By `eld` (Efficient Language Detector), whose model for 60 languages lies in its wheel; it was
compared with others on 4,022 posts (docs/decisions/0006-what-a-post-states.md).
"""

import re
from functools import lru_cache
from typing import Final

from eld import LanguageDetector

_LONGEST: Final = 1500
_FEWEST: Final = 60  # letters; below that a list of names passes for Romanian or Dutch
_FEWEST_OTHERS: Final = 15  # letters of a script that few languages share
_NO_WORDS: Final = re.compile(r"https?://\S+|www\.\S+|\S+@\S+|[\[<][^\]>\n]{0,40}[\]>]|[#@]\w+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]")
# Codes of languages whose texts nobody can tell apart by their letters alone.
_SAME: Final = {"nb": "no", "nn": "no", "bs": "hr", "sr": "hr", "sh": "hr", "ms": "id"}


@lru_cache(maxsize=1)
def _detector() -> LanguageDetector:
    return LanguageDetector()


def written_in(title: str, description: str) -> str:
    """The language of a post, ISO 639-1; "" when it cannot be told.

    It cannot for fewer than 60 letters (15 of another script than Latin), for a text in two
    languages, and where the detector itself is not sure.
    """
    text = _NO_WORDS.sub(" ", f"{title}\n{description}"[:_LONGEST])
    letters = len(_LETTER.findall(text))
    latin = len(_LATIN.findall(text))
    if letters < (_FEWEST if latin * 2 > letters else _FEWEST_OTHERS):
        return ""
    whole = _detector().detect(text)
    if whole.language and (whole.is_reliable() or _agree(text, whole.language)):
        return str(whole.language)
    return ""


def _agree(text: str, language: str) -> bool:
    """Whether both halves of a text are in the language, as a post in two languages is not."""
    middle = len(text) // 2
    return all(
        _detector().detect(half).language == language for half in (text[:middle], text[middle:])
    )


def same_language(code: str) -> str:
    """One code for languages that are not told apart: Bokmål and Nynorsk, Serbian and Croatian."""
    return _SAME.get(code, code)

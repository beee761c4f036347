"""The languages that a text speaks of, named in English."""

import re
from collections.abc import Mapping
from typing import Final

from jobs.text.masks import Masks

# ISO 639-1 codes of the languages that posts are written in, and their names; English apart.
CODES: Final[Mapping[str, str]] = {
    "am": "amharic", "ar": "arabic", "az": "azerbaijani", "be": "belarusian", "bg": "bulgarian",
    "bn": "bengali", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian",
    "fi": "finnish", "fr": "french", "gu": "gujarati", "he": "hebrew", "hi": "hindi",
    "hr": "croatian", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "is": "icelandic",
    "it": "italian", "ja": "japanese", "ka": "georgian", "kn": "kannada", "ko": "korean",
    "ku": "kurdish", "lo": "lao", "lt": "lithuanian", "lv": "latvian", "ml": "malayalam",
    "mr": "marathi", "ms": "malay", "nl": "dutch", "no": "norwegian", "pa": "punjabi",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sk": "slovak",
    "sl": "slovenian", "sq": "albanian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "te": "telugu", "th": "thai", "tl": "tagalog", "tr": "turkish", "uk": "ukrainian",
    "ur": "urdu", "vi": "vietnamese", "zh": "chinese",
}  # fmt: skip
_OTHERS: Final = ("cantonese", "flemish", "khmer", "mandarin", "taiwanese", "yoruba")
LANGUAGES: Final = (*CODES.values(), *_OTHERS)
LANGUAGE_MASKS: Final = Masks(LANGUAGES)
_NAMED: Final = re.compile(rf"\b(?:{'|'.join(LANGUAGES)})\b")


_LINK: Final = r"(?: ?(?:[,/&>]|->|to|into|from|and|or) ?| )"
_OTHER: Final = rf"(?:english|{'|'.join(name for name in LANGUAGES if name != 'polish')})"
# Whoever polishes a text speaks of no language: "polish" is one beside another, or as one is used.
_POLISH: Final = re.compile(
    rf"\b(?:{_OTHER}{_LINK}|(?:in|into|from|fluent|native|speaks?|speaking) )polish\b|"
    rf"\bpolish(?:{_LINK}{_OTHER}\b| (?:language|native|market|grammar|translat|transcri|proofread|"
    r"locali[sz]|subtitl|speak|voice|narrat|copywrit|content|writer|tutor|teach|lesson|seo))"
)


def named_languages(text: str) -> frozenset[str]:
    """The languages, English apart, that a folded text of a person names in English."""
    return frozenset(_NAMED.findall(text))


def spoken_of(text: str) -> frozenset[str]:
    """The languages, English apart, that a folded post speaks of as languages."""
    found = named_languages(text)
    return found if "polish" not in found or _POLISH.search(text) else found - {"polish"}


def written_mask(code: str) -> int:
    """The mask of a language given as ISO 639-1; nothing for English and for unknown ones."""
    return LANGUAGE_MASKS.of([CODES.get(code, "")])

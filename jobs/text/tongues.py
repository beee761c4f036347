"""Which language a post is written in and which ones it asks for, by plain signs."""

import re
from collections.abc import Mapping
from typing import Final

from jobs.text.masks import Masks

# Words frequent in one language and rare in the others; enough to tell a paragraph.
_SIGNS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "the and to of with for is we are you our this that will have need",
        "portuguese": "de que para uma com não em por você são preciso projeto os as um na no",
        "spanish": "de que para una con el los las por en y se un del necesito proyecto la",
        "french": "le les des une pour avec est et nous vous dans je un du que sur",
        "german": "der die und das mit für wir ist ein eine nicht auf sie ich den von",
        "italian": "il di che per una con sono è del gli un della nel non siamo",
        "dutch": "de het een en van voor met wij zijn niet op te ik naar dat",
    }.items()
}
_SCRIPTS: Final = (
    ("arabic", re.compile("[\u0600-\u06ff]")),
    ("hebrew", re.compile("[\u0590-\u05ff]")),
    ("russian", re.compile("[\u0400-\u04ff]")),
    ("greek", re.compile("[\u0370-\u03ff]")),
    ("japanese", re.compile("[\u3040-\u30ff]")),
    ("chinese", re.compile("[\u4e00-\u9fff]")),
    ("korean", re.compile("[\uac00-\ud7af]")),
    ("hindi", re.compile("[\u0900-\u097f]")),
    ("thai", re.compile("[\u0e00-\u0e7f]")),
)
LANGUAGES: Final = (
    "arabic bengali bulgarian cantonese catalan chinese croatian czech danish dutch estonian "
    "finnish flemish french german greek hebrew hindi hungarian indonesian italian japanese "
    "khmer korean latvian lithuanian malay mandarin norwegian persian polish portuguese "
    "punjabi romanian russian serbian slovak slovenian spanish swedish tagalog taiwanese "
    "tamil thai turkish ukrainian urdu vietnamese"
).split()
LANGUAGE_MASKS: Final = Masks(LANGUAGES)
CODES: Final[Mapping[str, str]] = {
    "ar": "arabic", "de": "german", "el": "greek", "es": "spanish", "fr": "french",
    "he": "hebrew", "hi": "hindi", "it": "italian", "ja": "japanese", "ko": "korean",
    "nl": "dutch", "pl": "polish", "pt": "portuguese", "ru": "russian", "sv": "swedish",
    "th": "thai", "tr": "turkish", "uk": "ukrainian", "zh": "chinese",
}  # fmt: skip
_NAMED: Final = re.compile(rf"\b(?:{'|'.join(LANGUAGES)})\b")
_WORD: Final = re.compile(r"\w+")


def language_of(text: str) -> str:
    """The language of a folded text by name, `english` when nothing speaks against it."""
    start = text[:800]
    if not start.isascii():
        letters = sum(map(str.isalpha, start)) or 1
        for language, script in _SCRIPTS:
            if len(script.findall(start)) / letters > 0.3:
                return language
    words = _WORD.findall(start)
    counts = {name: sum(map(signs.__contains__, words)) for name, signs in _SIGNS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] >= max(4, 1.5 * counts["english"]) else "english"


def named_languages(text: str) -> frozenset[str]:
    """The languages, English apart, that a folded text names in English."""
    return frozenset(_NAMED.findall(text))

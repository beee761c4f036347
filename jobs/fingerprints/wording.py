"""Which words of a post tell what it asks for, whoever posts it again."""

import re
from functools import lru_cache
from typing import Final

from jobs.text.lexicon import stem, tokens
from jobs.text.words import fold

# Freelancer numbers a title that is posted again; people write that they do.
_AGAIN: Final = re.compile(r"(\s+--\s*\d+|[\s(\[-]+re-?post(ed)?[)\]]*)[\s!.?]*$", re.IGNORECASE)
_SUM: Final = r"\d[\d.,]*\s?k?\b\+?"
_MONEY: Final = re.compile(
    rf"[$€£₹¥]\s?{_SUM}(\s?(-|to)?\s?[$€£₹¥]?\s?{_SUM})?"
    rf"|\b{_SUM}(\s?(-|to)\s?{_SUM})?\s?([$€£₹¥]|(usd|eur|gbp|inr|aud|cad|dollars?|euros?)\b)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"[\d.,]*\d[\d.,]*(k|m|st|nd|rd|th|usd|eur|gbp|inr|hrs?|h)?")

_STATES: Final = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia "
    "hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts "
    "michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon "
    "pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming "
    "ontario quebec manitoba saskatchewan alberta queensland tasmania "
    # Of two words; `state` itself is said of any.
    "hampshire jersey mexico york carolina dakota rhode columbia dc new north south west state"
)
# Two letters that mean nothing else in a post.
_CODES: Final = "tx ca ny fl wa nj nc sc oh az tn wi mn ky ut nv nm ks ct nh vt wv nd sd wy ak"
_PLACES: Final = frozenset(map(stem, f"{_STATES} {_CODES}".split()))

# Words of a title that may come and go.
_FILLERS: Final = frozenset(
    map(
        stem,
        (
            "a an and are as at be by can for from get have help i in is it its looking me my "
            "need needed needing needs of on or our please re required seeking some someone "
            "that the this to urgent urgently us want wanted we who will with you your asap "
            "hire hiring job jobs project projects work task now today immediately "
            "expert experts specialist specialists professional professionals freelancer "
            "freelancers experienced skilled talented great best good simple quick small easy "
            "budget usd eur hour hourly hr hrs per fixed price rate"
        ).split(),
    )
)
# Signs with the marks upon them: Thai, Lao, Myanmar, Khmer, kana and Han.
_SIGNS: Final = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
)
_VOWELS: Final = frozenset("aeiouy")


def title_core(title: str) -> frozenset[str]:
    """What a title says: its words without order, fillers, pay and names of states.

    Two that differ in one more word are two jobs ("English voice", "French voice"); so a slip of
    the pen is all that is forgiven in a word.  A title of nothing but fillers keeps them.
    """
    said = words(_MONEY.sub(" ", _AGAIN.sub("", title)))
    placeless = [word for word in said if stem(word) not in _PLACES]
    core = [word for word in placeless if stem(word) not in _FILLERS]
    return frozenset(map(_skeleton, core or placeless))


def words(text: str) -> list[str]:
    """Every word and number of a text in order, folded; of a script without spaces every sign."""
    folded = fold(text).replace("d.c.", " ")
    return tokens(folded if folded.isascii() else _SIGNS.sub(r" \g<0> ", folded))


def body_root(word: str) -> str:
    """The stem of a description's word; nothing for a number or the name of a state."""
    root = stem(word)
    return "" if root in _PLACES or _NUMBER.fullmatch(word) else root


@lru_cache(maxsize=20_000)
def _skeleton(word: str) -> str:
    """The first letter, and which consonants follow in whatever order: slips leave these alone."""
    if len(word) < 5 or not (word.isascii() and word.isalpha()):
        return word.removesuffix("s") if len(word) == 4 else word
    word = word.removesuffix("s")
    return word[0] + "".join(sorted(set(word[1:]) - _VOWELS))

"""What the words in sources' keys mean, in the languages marketplaces are written in.

The words stand in `meanings`; here a key is parted into them.
"""

import unicodedata
from functools import lru_cache
from typing import Final

import regex

from jobs.postings.meanings import TABLE

_PART: Final = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+")
_LETTERS: Final = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "ı": "i", "ß": "ss", "đ": "d"})
_FILLERS: Final = frozenset(
    "a an the of de do da du del der die das des la le el los o d l w na por per pro en em am in "
    "par pour fur fuer im for us s your my our ها".split()
)
# Two meanings in one word, and pairs of words that are one meaning.
_DOUBLE: Final = {
    "hourlyrate": ("hourly", "rate"),
    "fixedprice": ("fixed", "price"),
    "normalised": ("normalized",),
}
_SHORTEST: Final = 3  # letters of a word inside a glued one, but for those in _SHORT
_SHORT: Final = frozenset("id is at on ms ts".split())
_LONGEST: Final = 80


def _folded(text: str) -> str:
    """A text in lower case without accents."""
    apart = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    return "".join(c for c in apart if not unicodedata.combining(c)).casefold()


def _table() -> dict[str, str]:
    meanings: dict[str, str] = {}
    for line in TABLE.strip().replace("\n ", " ").splitlines():
        meaning, _, words = line.partition(":")
        for word in (meaning, *words.split()):
            meanings.setdefault(_folded(word), meaning)
    return meanings


_MEANINGS: Final = _table()
# Words that mean nothing by themselves but part a glued one.
_MORE: Final = frozenset(
    "data info label display raw string formatted at on air body tile job encoded html ago "
    "seniority expert received activity other with ontology additional required mandatory".split()
)


@lru_cache(maxsize=8192)
def words(key: str) -> tuple[str, ...]:
    """The meanings of a key's words, in their order; words that are not known as they stand.

    `hourlyBudgetMin`, `hourly_budget_min`, "Hourly Budget (min)" and `hourlybudgetmin` are one;
    digits, accents and fillers such as "de" do not count.
    """
    apart = unicodedata.normalize("NFKD", key[:_LONGEST].translate(_LETTERS))
    plain = "".join(c for c in apart if not unicodedata.combining(c))
    found: list[str] = []
    for part in _PART.findall(plain):
        for word in _parted(part.casefold()):
            if word not in _FILLERS:
                meaning = _MEANINGS.get(word, word)
                found += _DOUBLE.get(meaning, (meaning,))
    return tuple(found)


def is_known(word: str) -> bool:
    """Whether a word is a meaning in the table."""
    return word in _MEANINGS


@lru_cache(maxsize=4096)
def plain(key: str) -> str:
    """A key by its letters and digits alone, in lower case."""
    return "".join(filter(str.isalnum, key.casefold()))


def _parted(word: str) -> tuple[str, ...]:
    """A glued word as the known words it is made of, or as it stands."""
    if word in _MEANINGS or word in _MORE or word in _FILLERS or len(word) < 2 * _SHORTEST - 1:
        return (word,)
    return _parts(word) or (word,)


def _parts(word: str) -> tuple[str, ...] | None:
    if not word:
        return ()
    for end in range(len(word), 1, -1):
        head = word[:end]
        known = (head in _MEANINGS or head in _MORE) and (end >= _SHORTEST or head in _SHORT)
        if known and (rest := _parts(word[end:])) is not None:
            return (head, *rest)
    return None

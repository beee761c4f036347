"""Which skills a text about somebody names, for them to choose from."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from jobs.text.lexicon import is_common, stem, tokens
from jobs.text.skills import names_of
from jobs.text.words import WordIndex, fold

MOST: Final = 24
_NAMES: Final = Path(__file__).with_name("skill_names.txt")
_LONGEST: Final = 60
_MOST_WORDS: Final = 4
_READ: Final = 50_000  # characters; a profile has a tenth of it
_AROUND: Final = 20
_ENDS: Final = ".!?\n"
_LIST_MARKS: Final = ",;|/•·:()[]-*\n"


@dataclass(frozen=True, slots=True)
class _Skill:
    """A name as suggestions spell it; `ordinary`: most often it is just a word."""

    name: str
    ordinary: bool = False


def suggested_skills(
    text: str, *, known: Iterable[str] = (), listed: Iterable[str] = (), most: int = MOST
) -> list[str]:
    """At most so many skills that the text names and nobody `listed`, the most named first.

    A skill is told by its names: those shipped in skill_names.txt, those `known` from elsewhere
    such as stored posts, and other names of the same thing; a kind of work also by who does it,
    translation by "translator".  Each comes once.
    """
    skills = [*_shipped(), *map(_Skill, filter(_tells, known))]
    text = text[:_READ]
    plain = fold(text)
    crafts = {_stemmed(fold(each.name)): each for each in skills if _is_craft(each)}
    found = _places(crafts, _stemmed(plain)) | _places(_owners(skills), plain)
    taken = {name for skill in listed for name in names_of(skill)}
    chosen = []
    for skill in sorted(found, key=lambda each: (-len(found[each]), found[each][0])):
        names = set(names_of(skill.name))
        if taken & names or (skill.ordinary and not _is_meant(skill, text)):
            continue
        taken |= names
        chosen.append(skill.name)
    return chosen[:most]


@cache
def _shipped() -> tuple[_Skill, ...]:
    lines = _NAMES.read_text(encoding="utf-8").splitlines()
    names = [line for line in lines if line and not line.startswith("# ")]
    return tuple(_Skill(name.removeprefix("="), name.startswith("=")) for name in names)


def _tells(name: str) -> bool:
    """Whether a name from elsewhere is worth suggesting: not a sentence, not any post's word."""
    words = fold(name).split()
    short = len(name) <= _LONGEST and len(words) <= _MOST_WORDS
    return short and (len(words) > 1 or not is_common(fold(name)))


def _is_craft(skill: _Skill) -> bool:
    """Whether a name is a kind of work, which a text may say in another form of its words."""
    return fold(skill.name).endswith(("ing", "ion", "ment", "design")) and not skill.ordinary


def _stemmed(plain: str) -> str:
    return " ".join(map(stem, tokens(plain)))


def _owners(skills: Iterable[_Skill]) -> dict[str, _Skill]:
    """The skill that each folded name stands for; the first that has it."""
    owners: dict[str, _Skill] = {}
    for skill in skills:
        own = (fold(skill.name),)
        for name in own if skill.ordinary else (*own, *names_of(skill.name)):
            owners.setdefault(name, skill)
    return owners


def _places(owners: Mapping[str, _Skill], plain: str) -> dict[_Skill, list[int]]:
    """Where each skill is named, but not where its name is part of a longer one's."""
    index = WordIndex(owners)
    hits = ((start, -len(index.patterns[row]), row) for row, start in index.find(plain))
    found: dict[_Skill, list[int]] = {}
    end = 0
    for start, length, row in sorted(hits):
        if start - length > end:
            found.setdefault(owners[index.patterns[row]], []).append(start)
            end = start - length
    return found


def _is_meant(skill: _Skill, text: str) -> bool:
    """Whether an ordinary word stands in the text as a name: in a list, or as it is spelt."""
    pattern = rf"(?<![\w.+#]){re.escape(skill.name)}(?![\w+#])"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        start, end = match.span()
        before = text[max(start - _AROUND, 0) : start].rstrip(" \t\r")
        after = text[end : end + _AROUND].lstrip(" \t\r")
        starts = not before or before[-1] in _ENDS
        in_list = (not before or before[-1] in _LIST_MARKS) and (
            not after or after[0] in _LIST_MARKS + _ENDS
        )
        if in_list or (match.group() == skill.name and not starts):
            return True
    return False

"""What a search may be told never to bring again, and which words of a job to offer for that."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Final, Literal

from accounts.plain_words import plain_words
from accounts.profile_values import ProfileError
from accounts.profiles import SEARCH_KEYS
from accounts.search_fields import conflict, too_open
from accounts.terms import SearchTerms, terms_of
from jobs.text.lexicon import stem, tokens, weight, word_key
from jobs.text.words import fold

Field = Literal["countries_exclude", "words_none"]

_OFFERS: Final = 8
_SKILLS: Final = 5
_LONGEST: Final = 30
# How much a word of a title must tell (jobs.text.lexicon.weight): "need" does not, "logo" does.
_TELLING: Final = 2.0


def read_avoided(field: Field, written: str) -> str:
    """The country's code, or the word, that somebody wrote; raises ProfileError."""
    [entry] = SEARCH_KEYS[field]([written])
    return str(entry)


def is_avoided(search: SearchTerms, field: Field, entry: str) -> bool:
    """Whether the search avoids it already."""
    if field == "countries_exclude":
        return entry in search.countries_exclude
    return plain_words(entry) in map(plain_words, search.words_none)


def objection(search: SearchTerms, field: Field, entry: str) -> str | None:
    """Why the search cannot avoid it, in a sentence; None when it can."""
    if reason := too_open(search):
        return reason
    if field == "words_none" and (wanted := _wanted(search, entry)):
        return f"It asks for “{wanted}”."
    changed = {field: [*getattr(search, field), entry]}
    try:
        SEARCH_KEYS[field](changed[field])
    except ProfileError as error:
        return str(error)
    found = conflict(terms_of(asdict(search) | changed))
    return found[1] if found else None


def offers(title: str, skills: Sequence[str], searches: Iterable[SearchTerms]) -> tuple[str, ...]:
    """At most eight skills and telling words of a job's title that could be avoided.

    Not those that a search asks for, or that all of them avoid.
    """
    terms = tuple(searches)
    named = [skill for skill in skills if plain_words(skill) and len(skill) <= _LONGEST][:_SKILLS]
    words = [*named, *filter(_tells, tokens(fold(title)))]
    unlike = {plain_words(word): word for word in reversed(words)}
    found = [word for word in words if unlike.pop(plain_words(word), None) is not None]
    return tuple(word for word in found if _may_be_offered(word, terms))[:_OFFERS]


def _tells(word: str) -> bool:
    short = len(word) <= _LONGEST and not word.isdigit() and bool(word_key(word))
    return short and weight(stem(word)) >= _TELLING


def _may_be_offered(word: str, searches: Collection[SearchTerms]) -> bool:
    if any(_wanted(search, word) for search in searches):
        return False
    return not all(is_avoided(search, "words_none", word) for search in searches)


def _wanted(search: SearchTerms, word: str) -> str | None:
    """What the search asks for by which a post would name this word."""
    avoided = f" {plain_words(word)} "
    asked = (*search.skills, *search.words_any, *search.words_all)
    return next((each for each in asked if avoided in f" {plain_words(each)} "), None)

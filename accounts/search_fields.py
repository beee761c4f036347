"""What each field of a search is called, means to people, and does; written once, shown anywhere.

Which job a filter lets through is decided in `jobs.filters`, under the same names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from accounts.plain_words import plain_words
from accounts.terms import SearchTerms
from accounts.vocabulary import JOB_TYPES

_ONE_A_LINE: Final = "One a line, or separated by commas."
_SEVERAL: Final = "By name or code; several in one box, separated by commas, are fine."
_TICKED: Final = "None ticked: any."


@dataclass(frozen=True, slots=True)
class SearchField:
    """One field of a search in words.

    `not_stated` says what happens to a post that does not state the value; it is empty where the
    question does not arise.
    """

    label: str
    help: str = ""
    not_stated: str = ""


_PASSES: Final = "A post that does not say passes, unless you ask to drop it."

FILTERS: Final[Mapping[str, SearchField]] = {
    "words_none": SearchField("None of these words", _ONE_A_LINE),
    "words_all": SearchField("All of these words", _ONE_A_LINE),
    "words_any": SearchField("At least one of these words", _ONE_A_LINE),
    "skills": SearchField(
        "Skills",
        f"{_ONE_A_LINE} A post must name at least one of them, or of the words you ask for.",
    ),
    "job_types": SearchField("Payment", _TICKED, _PASSES),
    "min_hourly": SearchField(
        "Hourly rate, at least (US dollars)", "Compared with the top of a post's range.", _PASSES
    ),
    "min_fixed": SearchField(
        "Fixed price, at least (US dollars)",
        "A placeholder of 1 to 5 dollars counts as not stated.",
        _PASSES,
    ),
    "experience_levels": SearchField("Level", _TICKED, _PASSES),
    "categories": SearchField("Categories", _TICKED, _PASSES),
    "countries_include": SearchField("Only clients in these countries", _SEVERAL, _PASSES),
    "countries_exclude": SearchField("No clients in these countries", _SEVERAL, _PASSES),
    "my_country": SearchField(
        "Your country", "Posts open to other countries only are left out.", _PASSES
    ),
    "languages": SearchField(
        "Languages you work in",
        f"{_ONE_A_LINE} Posts written in others are left out.",
        "A post too short to tell passes, unless you ask to drop it.",
    ),
    "payment_verified_only": SearchField("Only clients whose payment is verified", "", _PASSES),
    "min_client_spent": SearchField("Spent so far, at least (US dollars)", "", _PASSES),
    "min_client_hires": SearchField("Hires so far, at least", "", _PASSES),
    "min_client_hire_rate": SearchField(
        "Hire rate, at least (percent)",
        "",
        "A new client has none: it passes, unless you ask to drop it.",
    ),
    "min_client_rating": SearchField(
        "Rating, at least",
        "0 to 5 stars.",
        "A client not rated yet passes, unless you ask to drop it.",
    ),
    "max_proposals": SearchField("At most this many proposals", "", _PASSES),
    "durations": SearchField("Length", _TICKED, _PASSES),
    "posted_within_hours": SearchField(
        "Posted within this many hours",
        "1 to 720.",
        "Where no time is stated, the time we first saw it counts; unless you ask to drop it.",
    ),
}

# What no filter asks: the scorer reads it, or it says how the search itself is used.
OTHERS: Final[Mapping[str, SearchField]] = {
    "name": SearchField("Name of this search"),
    "active": SearchField("Look for jobs by this search"),
    "headline": SearchField(
        "Headline (your work in one line)", "Such as: Django developer for shops."
    ),
    "about": SearchField("About you", "What a client would want to know."),
    "wants": SearchField("What you look for", "In your own words; also what you do not want."),
    "min_score": SearchField(
        "Lowest score", "Of 100. Jobs that score less are not mailed; 70 is usual."
    ),
    "strict": SearchField("Drop what does not state it"),
}

FIELDS: Final[Mapping[str, SearchField]] = {**FILTERS, **OTHERS}


def asks(search: SearchTerms, name: str) -> bool:
    """Whether the search asks for the filter `name`: it has a value other than "any"."""
    value = getattr(search, name)
    if name == "job_types":
        return 0 < len(set(value)) < len(JOB_TYPES)
    if isinstance(value, tuple):
        return any(not isinstance(entry, str) or plain_words(entry) for entry in value)
    return value is not None and value is not False and value != ""


def too_open(search: SearchTerms) -> str | None:
    """Why the search would let every job through, in a sentence; None when it would not."""
    if any(_narrows(search, name) for name in FILTERS):
        return None
    if not any(text.strip() for text in (search.headline, search.about, search.wants)):
        return (
            "This search would let every job through: say what work you do (skills, a headline) or"
            " set a filter."
        )
    if search.min_score == 0:
        return (
            "This search would let every job through: with a lowest score of 0 it needs a filter,"
            " such as a skill."
        )
    return None


def _narrows(search: SearchTerms, name: str) -> bool:
    """Whether the filter can turn anything down: at least 0 is true of all that is stated."""
    least = name.startswith("min_") and getattr(search, name) == 0
    return asks(search, name) and (not least or name in search.strict)


def conflict(search: SearchTerms) -> tuple[str, str] | None:
    """The field in which a search wants what it avoids, so that it finds nothing, and why."""
    avoided = search.words_none
    for word in search.words_all:
        if found := _avoided(word, avoided):
            return "words_all", f"Nothing can pass: a post must name “{word}”, and none “{found}”."
    if _all_avoided(search.words_any, avoided):
        return "words_any", "Nothing can pass: each of these is among the words you avoid."
    if _all_avoided(search.skills, avoided) and not search.words_any:
        return "skills", "A post must name one of these, but each is among the words you avoid."
    wanted = set(search.countries_include)
    if wanted and wanted <= set(search.countries_exclude):
        return "countries_include", "Each of these is among the countries you avoid."
    return None


def refusal(search: SearchTerms) -> tuple[str, str] | None:
    """The field to put right and why, of a search that nothing or everything passes."""
    if reason := too_open(search):
        return "skills", reason
    return conflict(search)


def _all_avoided(words: Sequence[str], avoided: Sequence[str]) -> bool:
    return bool(words) and all(_avoided(word, avoided) for word in words)


def _avoided(word: str, avoided: Sequence[str]) -> str | None:
    """The first avoided word or phrase that stands in `word`."""
    whole = f" {plain_words(word)} "
    return next((each for each in avoided if f" {plain_words(each)} " in whole), None)

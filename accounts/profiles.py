"""Reading a profile: one JSON object that says what work somebody wants and how to be mailed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from functools import partial
from typing import Any, Final

from accounts import profile_values as values
from accounts import vocabulary
from accounts.profile_values import ProfileError, Reader

__all__ = ["ProfileChanges", "ProfileError", "check_quiet", "read_profile"]


@dataclass(frozen=True, slots=True)
class ProfileChanges:
    """The values a profile gives, under the field names of Search and Preferences.

    `search` changes the first search.  `searches`, when given, is the whole list, each with its
    name, and with the `pk` of the stored one where it may have been renamed.  What is not given
    stays as it is.
    """

    preferences: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, Any] = field(default_factory=dict)
    searches: tuple[Mapping[str, Any], ...] | None = None


def read_profile(data: object) -> ProfileChanges:
    """The changes that a profile object asks for; raises ProfileError.

    One end of the quiet hours may stand alone: `check_quiet` judges it beside what is stored.
    """
    if not isinstance(data, dict):
        raise ProfileError(f"A profile is one JSON object, not {type(data).__name__}.")
    flat = {key: value for key, value in data.items() if key in SEARCH_KEYS}
    preferences = {key: value for key, value in data.items() if key in PREFERENCE_KEYS}
    _refuse_unknown(data, {*SEARCH_KEYS, *PREFERENCE_KEYS, "searches"})
    searches = _read_searches(data["searches"]) if "searches" in data else None
    if searches is not None and flat:
        beside = ", ".join(sorted(flat))
        raise ProfileError(
            f"searches stands beside {beside}: put these inside one of the searches."
        )
    changes = _read(preferences, PREFERENCE_KEYS)
    if {"quiet_from", "quiet_until"} <= changes.keys():
        check_quiet(changes["quiet_from"], changes["quiet_until"])
    return ProfileChanges(changes, _read(flat, SEARCH_KEYS), searches)


def check_quiet(start: time | None, end: time | None) -> None:
    """Raise ProfileError unless both ends are given and differ, or neither is given."""
    if (start is None) != (end is None):
        raise ProfileError("quiet_from and quiet_until go together: give both, or null for both.")
    if start is not None and start == end:
        raise ProfileError(f"quiet_from and quiet_until are both {start:%H:%M}: give two times.")


def _read_searches(value: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= vocabulary.MAX_SEARCHES:
        raise ProfileError(f"searches: give a list of 1 to {vocabulary.MAX_SEARCHES} objects.")
    searches = []
    for place, item in enumerate(value, 1):
        if not isinstance(item, dict):
            raise ProfileError(
                f"searches[{place}]: {item!r:.60} is no object; write one in braces."
            )
        where = f"searches[{place}]."
        _refuse_unknown(item, set(NAMED_KEYS), where)
        searches.append(_read({"name": f"Search {place}", **item}, NAMED_KEYS, where))
    names = [search["name"] for search in searches]
    if len(set(names)) < len(names):
        raise ProfileError(f"searches: give each its own name; these are {', '.join(names)}.")
    return tuple(searches)


def _refuse_unknown(data: Mapping[str, object], known: set[str], where: str = "") -> None:
    unknown = sorted(f"{where}{key}" for key in data if key not in known)
    if unknown:
        raise ProfileError(
            f"Unknown key{'s' * (len(unknown) > 1)} {', '.join(f'{u!r:.60}' for u in unknown[:5])}"
            f"{' …' * (len(unknown) > 5)}: the known ones are {', '.join(sorted(known))}."
        )


def _read(
    data: Mapping[str, object], readers: Mapping[str, Reader], where: str = ""
) -> dict[str, Any]:
    found = {}
    for key, value in data.items():
        try:
            found[key] = readers[key](value)
        except ProfileError as error:
            raise ProfileError(f"{where}{key}: {error}") from None
    return found


def _list_of(*choices: str) -> Reader:
    return partial(values.listed, each=partial(values.one_of, choices=choices))


_word: Final = partial(values.word, limit=vocabulary.MAX_WORD)
_words: Final = partial(values.listed, each=_word)
_floor: Final = partial(values.number, low=0)
_long_text: Final = partial(values.text, limit=20_000, lines=True)

SEARCH_KEYS: Final[Mapping[str, Reader]] = {
    "headline": partial(values.text, limit=300),
    "about": _long_text,
    "wants": _long_text,
    "skills": _words,
    "words_any": _words,
    "words_all": _words,
    "words_none": _words,
    "job_types": _list_of(*vocabulary.JOB_TYPES),
    "min_hourly": partial(_floor, high=9_999_999),
    "min_fixed": partial(_floor, high=99_999_999),
    "experience_levels": _list_of(*vocabulary.LEVELS),
    "categories": partial(values.listed, each=values.category),
    "countries_include": partial(values.listed, each=values.country),
    "countries_exclude": partial(values.listed, each=values.country),
    "my_country": lambda value: values.country(value) if value != "" else "",
    "languages": partial(values.listed, each=values.language),
    "min_client_spent": partial(_floor, high=99_999_999_999),
    "min_client_hires": partial(values.whole, low=0, high=1_000_000),
    "min_client_hire_rate": partial(values.number, low=0, high=100),
    "min_client_rating": partial(values.number, low=0, high=5),
    "payment_verified_only": values.flag,
    "max_proposals": partial(values.whole, low=0, high=1_000_000),
    "durations": _list_of(*vocabulary.DURATIONS),
    "posted_within_hours": partial(values.whole, low=1, high=720),
    "strict": _list_of(*vocabulary.STRICTABLE),
    "min_score": partial(values.whole, low=0, high=100, or_none=False),
}
NAMED_KEYS: Final[Mapping[str, Reader]] = {
    **SEARCH_KEYS,
    "name": partial(values.text, limit=80, least=1),
    "active": values.flag,
}
PREFERENCE_KEYS: Final[Mapping[str, Reader]] = {
    "mode": partial(values.one_of, choices=vocabulary.MODES),
    "digest_hour": partial(values.whole, low=0, high=23, or_none=False),
    "timezone": values.timezone,
    "quiet_from": values.clock_time,
    "quiet_until": values.clock_time,
    "max_jobs_per_day": partial(values.whole, low=1, high=vocabulary.MAX_JOBS_A_DAY, or_none=False),
    "paused_until": values.moment,
    "ai_allowed": values.flag,
}

"""Judged pairs to learn from and to measure against."""

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from accounts.countries import country_code
from accounts.profiles import PREFERENCE_KEYS, SEARCH_KEYS, ProfileError, read_profile
from accounts.terms import SearchTerms
from jobs.postings.normalise import normalise
from jobs.postings.posting import Posting
from jobs.scoring.measuring import alerting, ranked, table
from jobs.scoring.weights import SHIPPED_THRESHOLD
from jobs.table import JobTable

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Row = Mapping[str, Any]

# What names a profile or describes it to its reader, and wants nothing.
_ABOUT_IT: Final = frozenset({"id", "name", "field", "active"})
_KEYS: Final = frozenset({*SEARCH_KEYS, *PREFERENCE_KEYS, "searches"})


@dataclass(frozen=True)
class Judged:
    """Searches, jobs and the judged pairs: (searches[rows[k]], job cols[k]) has grades[k], 0-3."""

    names: tuple[str, ...]
    searches: tuple[SearchTerms, ...]
    table: JobTable
    rows: Places
    cols: Places
    grades: Places


def read(directory: Path, now: datetime) -> Judged:
    """The judged pairs in `directory`: profiles.jsonl, labels.jsonl, jobs.jsonl.gz.

    Relative times ("2 hours ago") refer to `now`, which is aware.
    """
    profiles = _lines(directory / "profiles.jsonl")
    labels = _lines(directory / "labels.jsonl")
    kept: dict[str, Posting] = {}
    for raw in _lines(directory / "jobs.jsonl.gz"):
        posting = normalise(raw, now)
        if isinstance(posting, Posting):
            kept[str(raw["id"])] = posting
    places = {raw_id: place for place, raw_id in enumerate(kept)}
    names = {str(profile["id"]): s for s, profile in enumerate(profiles)}
    known = [label for label in labels if label["job"] in places]
    return Judged(
        names=tuple(names),
        searches=tuple(searches_of(profile, str(profile["id"]))[0] for profile in profiles),
        table=JobTable.of(tuple(kept.values()), [now] * len(kept)),
        rows=np.array([names[label["profile"]] for label in known], dtype=np.intp),
        cols=np.array([places[label["job"]] for label in known], dtype=np.intp),
        grades=np.array([label["grade"] for label in known], dtype=np.intp),
    )


def searches_of(profile: Row, name: str) -> tuple[SearchTerms, ...]:
    """The searches of a profile; one without a list of them is one search, called `name`.

    The keys are those of `add_user`'s file, or the cases' `exclude_keywords` (words_none) and
    `excluded_countries` (countries_exclude; names of no country count for nothing).  A key that
    is absent or null has its default.  Raises ProfileError, which names an unknown key.
    """
    given = {key: value for key, value in profile.items() if key not in _ABOUT_IT}
    avoided = _texts(given.pop("exclude_keywords", None), "exclude_keywords")
    countries = _texts(given.pop("excluded_countries", None), "excluded_countries")
    wanted = {key: value for key, value in given.items() if value is not None or key not in _KEYS}
    if avoided:
        wanted["words_none"] = [*wanted.get("words_none", ()), *avoided]
    if countries:
        known = filter(None, map(country_code, countries))
        wanted["countries_exclude"] = [*wanted.get("countries_exclude", ()), *known]
    changes = read_profile(wanted)
    return tuple(map(_terms, changes.searches or [{"name": name, **changes.search}]))


def _texts(value: object, key: str) -> list[str]:
    """The texts of a list that are not blank; nothing for null."""
    found = [] if value is None else value
    if not isinstance(found, list) or not all(isinstance(text, str | None) for text in found):
        raise ProfileError(f"{key}: {value!r:.60} is not a list of texts; write one, or [].")
    return [text for text in found if text and text.strip()]


def _terms(values: Row) -> SearchTerms:
    plain: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in values.items()
    }
    return SearchTerms(**plain)


def measures(cases: Judged, points: Floats) -> Iterator[str]:
    """One line per profile and one for all, by the cases' own definitions (eval.py)."""
    found = {
        name: ranked(points[cases.rows == s], cases.grades[cases.rows == s])
        for s, name in enumerate(cases.names)
    }
    yield from table(found)
    yield f"at {SHIPPED_THRESHOLD}: {alerting(points, cases.grades)}"


def _lines(path: Path) -> list[dict[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]

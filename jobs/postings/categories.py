"""What a raw row says beside the job's own facts: its category, and where alone the worker may be.

Keys are Upwork's (official API, the state of its pages, tools that scrape them) and the labels that
its feeds wrote at the end of a description.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape
from typing import Final

from accounts.categories import category_slug
from accounts.countries import country_code
from jobs.postings.posting import Posting

# The most telling first: a sub-category only where no category is understood.
_CATEGORY: Final = (
    "category category2 categoryname jobcategory categorylabel categorytitle maincategory "
    "categories categorygroup categorygroupname subcategory subcategory2 subcategoryname "
    "jobsubcategory subcategories occupation occupations"
).split()
_NAMES: Final = "name preflabel prettyname label title slug freetext value".split()
_PREFERRED: Final = frozenset({"preferredfreelancerlocation", "freelancerlocation"})
_REQUIRED: Final = frozenset({"locationrequirement", "locationrequirements", "workercountries"})
_ASIDE: Final = frozenset(
    "similarjobs relatedjobs openjobs otherjobs workhistory freelancer currentuser user viewer "
    "filters query params input client buyer searchparams request".split()
)
_FOOTER: Final = re.compile(
    r"\b(Category|Location Requirement)\s*:\s*(.*?)\s*"
    r"(?=$|\n|\b(?:Skills|Country|Category|Posted On|Location Requirement)\s*:|click to apply)",
    re.DOTALL,
)
_TAG: Final = re.compile(r"<br ?/?>|</?[a-z]+[^>]*>", re.IGNORECASE)
_ONLY: Final = re.compile(
    r"\bonly\b.*?\b(?:located|based|from) (?:in )?(.+?)\s+may apply", re.IGNORECASE
)
_DEEPEST: Final = 6
_MOST: Final = 2_000


def with_category(posting: Posting, raw: object) -> Posting:
    """The posting with its category and the worker's countries, where the row states them.

    Never raises; what is not understood is not stated.
    """
    found = list(_entries(raw, 0))[:_MOST]
    footer = dict(entry for _, value in found for entry in _of_footer(value))
    by_key: dict[str, list[object]] = {}
    for key, value in [*found, *footer.items()]:
        by_key.setdefault(key, []).append(value)
    return replace(posting, category=_category(by_key), worker_countries=_countries(by_key))


def _category(by_key: Mapping[str, list[object]]) -> str | None:
    texts = (text for key in _CATEGORY for value in by_key.get(key, ()) for text in _texts(value))
    return next((slug for text in texts if (slug := category_slug(text))), None)


def _countries(by_key: Mapping[str, list[object]]) -> tuple[str, ...]:
    mandatory = by_key.get("preferredfreelancerlocationmandatory", [False])
    checked = by_key.get("locationcheckrequired", [True])
    keys = [
        *(sorted(_PREFERRED) if _is_true(mandatory[0]) else ()),
        *(["qualifications.countries"] if checked[0] is not False else ()),
        *sorted(_REQUIRED),
    ]
    for key in keys:
        for value in by_key.get(key, ()):
            if codes := _codes(list(_texts(value))):
                return codes
    return ()


def _codes(texts: list[str]) -> tuple[str, ...]:
    """The countries of all the texts; none at all when one of them is not known."""
    parts = [part for text in texts for part in _parts(text)]
    codes = [country_code(part.removeprefix("the ").strip()) for part in parts]
    known = [code for code in codes if code is not None]
    return tuple(dict.fromkeys(known)) if known and len(known) == len(codes) else ()


def _parts(text: str) -> list[str]:
    only = _ONLY.search(text)
    if only:
        return re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", only[1])
    return [text] if country_code(text) else re.split(r"\s*[,;|/]\s*", text)


def _is_true(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in ("true", "1"))


def _texts(value: object) -> Iterator[str]:
    """The names in a value: a text, a list of them, or objects that hold one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        plain = {_plain(key): inner for key, inner in value.items()}
        named = next((plain[name] for name in _NAMES if isinstance(plain.get(name), str)), None)
        yield from (named,) if isinstance(named, str) else ()
    elif isinstance(value, list | tuple):
        for inner in value[:50]:
            if not isinstance(inner, list | tuple):
                yield from _texts(inner)


def _entries(value: object, depth: int, around: str = "") -> Iterator[tuple[str, object]]:
    """Every key, plain, with its value, outside of what stands beside the job."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list | tuple):
        for inner in value[:50]:
            yield from _entries(inner, depth + 1, around)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            name = _plain(key)
            if name in _ASIDE:
                continue
            yield (f"{around}.{name}" if around == "qualifications" else name), inner
            if around == "qualifications":
                yield name, inner
            yield from _entries(inner, depth + 1, name)


def _of_footer(value: object) -> Iterator[tuple[str, object]]:
    if not isinstance(value, str) or "Posted On" not in value:
        return
    text = unescape(_TAG.sub(lambda tag: "\n" if tag[0][:3] == "<br" else "", value))
    for found in _FOOTER.finditer(text):
        yield _plain(found[1]), found[2].strip(": ")


def _plain(key: object) -> str:
    return re.sub(r"[^a-z0-9]", "", key.lower()) if isinstance(key, str) and len(key) < 80 else ""

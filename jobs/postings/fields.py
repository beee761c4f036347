"""Where sources put each fact about a job: by the meaning of their keys, wherever they nest them.

A key's words, and those of the objects around it, make one set: `client: {totalSpent}`,
`clientTotalSpent` and "Total spent by client" are {client, total, spent}.  `field_words` says
which sets name which field.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from jobs.postings.boxes import as_mapping, in_units, unboxed
from jobs.postings.digits import western
from jobs.postings.field_words import CODES, FIELDS, MONEY
from jobs.postings.lexicon import is_known, plain, words

T = TypeVar("T")
Facts = Mapping[str, tuple[object, ...]]
_Rank = tuple[int, int, int, int]  # penalty, place of the core, depth, order in the row


# Objects beside the job: other jobs, other people, the request.
_ASIDE: Final = frozenset(
    "annotation annotations commitment applicantsbidsstats attachments buyerjobs categories "
    "category categorygroup clientrelation contractorinfo currentuser currentuserinfo "
    "enqueuedfrom error errors filters freelancer freelancerclientrelation freelancerinfo group "
    "groups headers input occupation occupations openjobs organizationextra pageinfo pagination "
    "params preferredqualifications qualifications query questions relatedjobs request "
    "requestbody requestheaders responseheaders sandsjobpost search searchparams "
    "segmentationdata similarjobs subcategory user viewer weeklybudget weeklyretainerbudget "
    "workhistory worklocation".split()
)
# Words of objects that only wrap.
_WRAPS: Final = frozenset(
    "job node data info item items tile attrs field fields properties props page state payload "
    "result results response body record entry post details auth extra extended sands upwork "
    "history content document doc source hit object marketplace value fact facts meta summary "
    "about overview custom parameters specs json detail dom".split()
)
# Words of keys that hold other jobs than this one.
_OTHERS: Final = frozenset("other similar related recommended history past previous".split())
_JOBS: Final = frozenset(("job", "jobs"))
# Fields that keep their texts as they are written.
_WORDED: Final = frozenset("title description skills url id".split())
_TEXTS: Final = frozenset("title description skills".split())
_UNKNOWN: Final = 2  # words of a key
_BEGINNING: Final = re.compile(r"[A-Za-z]{1,12}[_.:]")
_FEWEST: Final = 4  # keys that tell a prefix
_PAY: Final = MONEY | {"job_type", "currency"}
_DEEPEST: Final = 10
_MOST: Final = 1000
_LONGEST_KEY: Final = 80
_NOT_STATED: Final = frozenset(
    "|n/a|na|n.a.|n/d|nan|none|null|nil|undefined|unknown|-|--|---|—|–|?|not specified|not stated"
    "|not available|not provided|unspecified|no disponible|k. a.|k.a.|keine angabe|nicht angegeben"
    "|non précisé|non renseigné|não informado|no especificado|brak|brak danych|tbd|to be determined"
    "|(none)|(blank)|#n/a|غير محدد|не указано".split("|")
)


def facts(row: Mapping[object, object]) -> dict[str, tuple[object, ...]]:
    """The values a row states for each field, the most telling first; bounded in depth."""
    found = sorted(_found(row), key=lambda one: one[:2])
    best = {name: rank for name, rank, _ in reversed(found)}
    stated: dict[str, tuple[object, ...]] = {}
    for name, rank, value in found:
        if name == "skills" and rank[0] > best[name][0]:
            continue  # tags, where there are skills
        if name == "description" and "title" in best and rank[3] == best["title"][3]:
            continue  # a "Job" that is the title
        stated[name] = (*stated.get(name, ()), value)
    return stated


def labelled(label: str) -> tuple[str, ...]:
    """The fields a label alone, such as "Posted On", may name."""
    return tuple(name for name, _, _ in _meaning((label,)) or ())


def has_title(row: Mapping[object, object]) -> bool:
    """Whether an object is a posting: it holds a job's title, itself or within its wrappings."""
    return any(
        name == "title" and rank[:2] == (0, 0) and isinstance(unboxed(value), str)
        for name, rank, value in _found(row)
    )


def is_posting(row: Mapping[object, object]) -> bool:
    """Whether an object is a posting, be its title no more than a name beside a text and pay."""
    found = {name for name, rank, _ in _found(row) if rank[0] <= 1}
    return has_title(row) or ("title" in found and "description" in found and bool(_PAY & found))


def is_of_others(key: str) -> bool:
    """Whether a key holds other jobs than the one its object is about."""
    said = words(key)
    return not _OTHERS.isdisjoint(said) and not _JOBS.isdisjoint(said)


def first(stated: Facts, field: str, parse: Callable[[object], T | None]) -> T | None:
    """What `parse` makes of the field's first value that it understands, else None."""
    for value in each(stated, field):
        if (parsed := parse(value)) is not None:
            return parsed
        if (inner := unboxed(value)) is not value and (parsed := parse(inner)) is not None:
            return parsed
    return None


def each(stated: Facts, field: str) -> Iterator[object]:
    """The values a row states for a field, the most telling key first."""
    yield from stated.get(field, ())


def is_stated(value: object) -> bool:
    """Whether a value says anything: not None, blank, "N/A" or the like."""
    if isinstance(value, str):
        return len(value) > 20 or value.strip().casefold() not in _NOT_STATED
    return value is not None and value != [] and value != {}


def _found(row: Mapping[object, object]) -> list[tuple[str, _Rank, object]]:
    found: list[tuple[str, _Rank, object]] = []
    _collect(row, (), found)
    return found


def _collect(
    row: Mapping[object, object],
    path: tuple[str, ...],
    found: list[tuple[str, _Rank, object]],
) -> None:
    begun = _prefix(row)
    for whole_key, value in row.items():
        key = whole_key.removeprefix(begun) if begun and isinstance(whole_key, str) else whole_key
        if len(found) >= _MOST or not isinstance(key, str) or len(key) > _LONGEST_KEY:
            continue
        if not is_stated(value) or (meant := _meaning((*path, key))) is None:
            continue
        if "cents" in words(key):
            value = in_units(value)
        figures = value if isinstance(value, Mapping) else western(value)
        at = len(found)
        if not path and isinstance(value, str) and not any(map(is_known, words(key))):
            found.append(("unknown", (0, 0, 0, at), (key, figures)))
        for name, penalty, core in meant:
            if name == "skills" and penalty and isinstance(value, Mapping):
                continue  # "attributes" of the job
            told = value if name in _WORDED else figures
            found.append((name, (penalty, core, len(path), at), told))
            if name in MONEY and (code := _code_in(key)):
                found.append(("currency", (9, core, len(path), at), code))
        whole = len(path) >= _DEEPEST or any(
            name == "skills" and not (penalty and isinstance(value, Mapping))
            for name, penalty, _ in meant
        )
        inner = None if whole else as_mapping(value)
        if inner is not None:
            _collect(inner, (*path, key), found)


def _prefix(row: Mapping[object, object]) -> str:
    """What most keys of an object begin with, `op_` say, where it means nothing."""
    keys = [key for key in row if isinstance(key, str)]
    starts = [found[0] for key in keys if (found := _BEGINNING.match(key))]
    if len(starts) < _FEWEST or 2 * len(starts) < len(keys):
        return ""
    start = max(starts, key=starts.count)
    if starts.count(start) < _FEWEST or 2 * starts.count(start) < len(keys):
        return ""
    return "" if any(map(is_known, words(start))) else start


def _code_in(key: str) -> str | None:
    """The currency a key names, as "Budget (USD)" does."""
    return next((word.upper() for word in words(key) if word in CODES), None)


@lru_cache(maxsize=16384)
def _meaning(path: tuple[str, ...]) -> tuple[tuple[str, int, int], ...] | None:
    """The fields a path of keys may name, each with a penalty and the place of its core.

    None when the last key begins something beside the job.
    """
    *around, last = path
    if (plain(last) in _ASIDE or is_of_others(last)) and len(path) < _DEEPEST:
        return None
    if not words(last):
        return ()
    bag = {word for word in words(last) if word != "cents" and word not in CODES}
    ignored = 0
    for key in around:
        parts = set(words(key)) - _WRAPS
        if parts == {"posted"} and "job" in words(key):
            continue  # "postedJob" wraps a job
        if any(map(is_known, parts)):
            bag |= parts
        else:
            ignored += bool(parts) or not words(key)
    if named := _named(bag, ignored):
        return named
    return _named_in_part(bag, ignored) if any(map(is_known, words(last))) else ()


def _named_in_part(bag: set[str], ignored: int) -> tuple[tuple[str, int, int], ...]:
    """The texts that a key names with one or two unknown words beside, believed last."""
    known = set(filter(is_known, bag))
    if not known or not 0 < len(bag) - len(known) <= _UNKNOWN:
        return ()
    return tuple(
        (name, 3 + penalty, core)
        for name, penalty, core in _named(known, ignored)
        if name in _TEXTS and core < FIELDS[name].weak
    )


def _named(bag: set[str], ignored: int) -> tuple[tuple[str, int, int], ...]:
    named = []
    for name, field in FIELDS.items():
        for place, core in enumerate(field.cores):
            if core <= bag and bag - core <= field.extras:
                weak = place >= field.weak
                if weak and ignored:
                    break
                named.append((name, ignored + weak, place))
                break
    return tuple(named)

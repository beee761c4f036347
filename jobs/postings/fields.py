"""Where sources put each fact about a job: by the meaning of their keys, wherever they nest them.

What a key means stands in `keys`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeVar

from jobs.postings.boxes import as_mapping, in_units, unboxed
from jobs.postings.digits import western
from jobs.postings.field_words import CODES, MONEY
from jobs.postings.keys import DEEPEST, meaning, prefix
from jobs.postings.lexicon import is_known, words

T = TypeVar("T")
Facts = Mapping[str, tuple[object, ...]]
_Rank = tuple[int, int, int, int]  # penalty, place of the core, depth, order in the row


# Fields that keep their texts as they are written.
_WORDED: Final = frozenset("title description skills url id".split())
_OPENING: Final = ("{", "[")  # of JSON in a text
_PAY: Final = MONEY | {"job_type", "currency"}
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
    return tuple(name for name, _, _ in meaning((label,)) or ())


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
    begun = prefix(tuple(row))
    for whole_key, raw in row.items():
        if len(found) >= _MOST or not isinstance(whole_key, str) or len(whole_key) > _LONGEST_KEY:
            continue
        key = whole_key.removeprefix(begun)
        if not is_stated(raw) or (meant := meaning((*path, key))) is None:
            continue
        value, figures, whole = _looked_at(key, raw)
        at = len(found)
        if not path and isinstance(value, str) and not any(map(is_known, words(key))):
            found.append(("unknown", (0, 0, 0, at), (key, figures)))
        whole |= len(path) >= DEEPEST
        for name, penalty, core in meant:
            if name == "skills":
                if penalty and isinstance(value, Mapping):
                    continue  # "attributes" of the job
                whole = True
            told = value if name in _WORDED else figures
            found.append((name, (penalty, core, len(path), at), told))
            if name in MONEY:
                found += _currency_in(key, (9, core, len(path), at))
        if not whole and (inner := as_mapping(value)) is not None:
            _collect(inner, (*path, key), found)


def _looked_at(key: str, value: object) -> tuple[object, object, bool]:
    """A value, it with the figures everybody reads, and whether it is a text and no more."""
    if "cents" in words(key):
        value = in_units(value)
    text = isinstance(value, str) and value[:1] not in _OPENING
    return value, western(value) if text else value, text


def _currency_in(key: str, rank: _Rank) -> Iterator[tuple[str, _Rank, object]]:
    """The currency a key names, as "Budget (USD)" does."""
    yield from (("currency", rank, word.upper()) for word in words(key) if word in CODES)

"""Where the rows are in a JSON value: in itself, in a list, a table, or an object of objects."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from jobs.postings.boxes import as_mapping
from jobs.postings.fields import has_title, is_posting
from jobs.postings.keys import is_of_others
from jobs.postings.lexicon import plain
from jobs.postings.nuxt import is_flat, put_together

# Keys under which sources put their list, the likeliest first.
_LISTS: Final = tuple(
    "jobs jobpostings results items item entries entry data records rows postings edges projects "
    "hits nodes docs documents listings values list content opportunities gigs offers features "
    "trabajos trabalhos projetos proyectos projekte auftrage annonces zlecenia resultados "
    "ergebnisse resultats wyniki".split()
)
_DEEPEST: Final = 6
_LOOKED_AT: Final = 5  # elements of a list that tell whether it holds rows
_MOST_COLUMNS: Final = 200


def listed(whole: object) -> list[object]:
    """The rows in a whole JSON value; an object that is no posting is searched for its list."""
    if isinstance(whole, list) and is_flat(whole):
        whole = put_together(whole)
    if isinstance(whole, list):
        return _table(whole) or whole
    if not isinstance(whole, Mapping):
        return [whole]
    found = _list_in(whole, 2 if has_title(whole) else _DEEPEST)
    if found is not None:
        return found
    if is_posting(whole):
        return [whole]
    return _columns(whole) or _by_key(whole) or _only(whole) or [whole]


def _only(whole: Mapping[object, object]) -> list[object] | None:
    """The rows in the one object that an object holds."""
    inner = next(iter(whole.values())) if len(whole) == 1 else None
    return listed(inner) if isinstance(inner, Mapping) and is_posting(inner) else None


def expanded(row: object) -> Iterator[object]:
    """The rows in one element of a list: itself, or those of the list it wraps."""
    if isinstance(row, Mapping) and not is_posting(row):
        found = _list_in(row, _DEEPEST)
        if found is not None and not any(map(_is_answer, row.values())):
            yield from found
            return
    yield row


def rank(key: str) -> int:
    """The place of a key among the likely names of a list of rows, the number of them for none."""
    name = plain(key[:80])
    return _LISTS.index(name) if name in _LISTS else len(_LISTS)


def is_likely(key: str) -> bool:
    """Whether a key is a likely name of a list of rows."""
    return rank(key) < len(_LISTS)


def _is_answer(value: object) -> bool:
    """Whether a value holds a posting of its own."""
    inner = as_mapping(value) if isinstance(value, str | Mapping) else None
    return inner is not None and has_title(inner)


def _list_in(whole: Mapping[object, object], deepest: int) -> list[object] | None:
    """The list of rows nearest to the top, one with a likely name before the longest.

    Where the object is itself titled, only a list with a likely name of titled rows counts.
    """
    titled = deepest < _DEEPEST
    level: list[Mapping[object, object]] = [whole]
    for _ in range(deepest):
        items = [
            item
            for parent in level
            for item in parent.items()
            if isinstance(item[0], str) and not is_of_others(item[0])
        ]
        lists = [
            (str(key), found)
            for key, value in items
            if (found := _rows(str(key), value, titled=titled)) is not None
        ]
        if lists:
            return max(lists, key=lambda found: (-rank(found[0]), len(found[1])))[1]
        level = [inner for _, value in items if (inner := _inner(value)) is not None]
    return None


def _inner(value: object) -> Mapping[object, object] | None:
    return as_mapping(value) if isinstance(value, str | Mapping) else None


def _rows(key: str, value: object, *, titled: bool) -> list[object] | None:
    """A list's rows, when it holds postings: by its name, or by a title in its first objects."""
    if isinstance(value, Mapping) and is_likely(key) and not has_title(value):
        return _columns(value) or _by_key(value)
    if not isinstance(value, list) or not value:
        return None
    if table := _table(value):
        return table
    objects = [row for row in value[:_LOOKED_AT] if isinstance(row, Mapping)]
    if not objects:
        return None
    if len(value) == 1 and not titled and (deeper := _list_in(objects[0], 2)) is not None:
        return deeper
    good = any(is_posting(row) or _is_wrapped(row) for row in objects)
    if titled:
        return value if is_likely(key) and good else None
    return value if is_likely(key) or good else None


def _is_wrapped(row: Mapping[object, object]) -> bool:
    return len(row) <= 3 and any(isinstance(v, Mapping) and has_title(v) for v in row.values())


def _table(rows: list[object]) -> list[object] | None:
    """The objects of a table whose first row holds the names of its columns."""
    if len(rows) < 2 or not all(isinstance(row, list) for row in rows[:_LOOKED_AT]):
        return None
    return _with_names(rows[0], rows[1:])


def _with_names(names: object, rows: object) -> list[object] | None:
    if not isinstance(names, list) or not isinstance(rows, list) or len(names) > _MOST_COLUMNS:
        return None
    titles = [
        name if isinstance(name, str) else str(name.get("name", "")) if isinstance(name, Mapping)
        else ""
        for name in names
    ]  # fmt: skip
    if not has_title(dict.fromkeys(titles, "x")):
        return None
    return [dict(zip(titles, row, strict=False)) if isinstance(row, list) else row for row in rows]


def _columns(whole: Mapping[object, object]) -> list[object] | None:
    """The rows of a table kept as its columns' names and rows, or as one list for each column."""
    names = {plain(key[:80]): value for key, value in whole.items() if isinstance(key, str)}
    for header in ("columns", "header", "headers", "fields"):
        for body in ("data", "rows", "values", "records"):
            if rows := _with_names(names.get(header), names.get(body)):
                return rows
    columns = {key: _column(value) for key, value in whole.items() if isinstance(key, str)}
    title = next((key for key, column in columns.items() if column and has_title({key: "x"})), None)
    if title is None or len(columns) < 2 or not all(columns.values()):
        return None
    length = len(columns[title] or ())
    if any(len(column or ()) != length for column in columns.values()):
        return None
    return [{key: (column or [])[n] for key, column in columns.items()} for n in range(length)]


def _column(value: object) -> list[object] | None:
    """A column's cells: a list, or an object by row numbers."""
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping) and all(str(key).isdigit() for key in islice(value, 1000)):
        return list(value.values())
    return None


def _by_key(whole: Mapping[object, object]) -> list[object] | None:
    """The objects under ids or row numbers; the key is the id of one that has none."""
    objects = [(key, value) for key, value in whole.items() if isinstance(value, Mapping)]
    if not objects or 2 * len(objects) < len(whole):
        return None
    if not all(has_title(value) for _, value in objects[:_LOOKED_AT]):
        return None
    if len(objects) == 1 and not str(objects[0][0]).strip("~").isdigit():
        return None
    return [value if "id" in value else {**value, "id": key} for key, value in objects]

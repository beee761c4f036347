"""Everything that is known of a user, as one JSON file: what `deliveries.personal.places` lists."""

import json
import tempfile
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any, Final

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import F

from accounts.boundaries import effect, undone
from deliveries.personal.place import Place
from deliveries.personal.places import PLACES

_IN_MEMORY: Final = 1_000_000  # bytes; more goes into a file without a name
_AT_ONCE: Final = 500  # rows
_HELD: Final = "SELECT FROM accounts_user WHERE uid = %s FOR KEY SHARE"


class GoneError(LookupError):
    """There is no such user, or not any more."""


def export(user_id: str, *, now: datetime) -> IO[bytes]:
    """A file of UTF-8 JSON, read from its start: one object, the same keys in the same order.

    A key a table: an object, null where there is none, or a list in the order of the rows' keys;
    one row a line.  Whole or not at all, in bounded memory.  Times are ISO 8601, UTC; sums of
    money are texts.  Nobody deletes the account or changes its address meanwhile.

    Raises GoneError.
    """
    with effect("export: write a file"):
        file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 -- given away
        try:
            _write(file, user_id, now)
        except BaseException:
            file.close()
            raise
    return file


def _write(file: IO[bytes], user_id: str, now: datetime) -> None:
    with undone():
        _hold(user_id)
        for text in _texts(user_id, now):
            file.write(text.encode())
    file.seek(0)


def _hold(user_id: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_HELD, [user_id])
        if cursor.fetchone() is None:
            raise GoneError


def _texts(user_id: str, now: datetime) -> Iterator[str]:
    head = {"site": settings.SITE_HOST, "made_at": now, "explained_in": "docs/personal-data.md"}
    yield f'{{\n"export": {_json(head)}'
    for place in PLACES:
        if place.exported:
            yield f',\n"{place.name}": '
            yield from _one(place, user_id) if place.single else _list(place, user_id)
    yield "\n}\n"


def _one(place: Place, user_id: str) -> Iterator[str]:
    yield _json(next(_rows(place, user_id), None))


def _list(place: Place, user_id: str) -> Iterator[str]:
    before = "[\n"
    for row in _rows(place, user_id):
        yield before + _json(row)
        before = ",\n"
    yield "\n]" if before == ",\n" else "[]"


def _rows(place: Place, user_id: str) -> Iterator[dict[str, Any]]:
    names = [name for name in place.columns.split() if name not in place.renamed]
    others = {name: F(lookup) for name, (_, lookup) in place.renamed.items()}
    rows = place.rows(user_id).order_by("pk").values(*names, **others)
    for row in rows.iterator(chunk_size=_AT_ONCE):
        yield {name: _readable(row[name]) for name in place.columns.split()}


def _readable(value: Any) -> Any:
    """A mail's bytes as text."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    return value


def _json(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)

"""One place where something of a user is kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import QuerySet

Rows = Callable[[str], "QuerySet[Any]"]

KEY: Final = {"user_id": "the user's key, made of the address"}
ROW: Final = {"id": "a number of the row"} | KEY


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What one table holds of a user.

    `columns` are exported under the key `name` (one object where `single`, else a list), those in
    `renamed` as that lookup under another name; `kept_back` says of each other one why it is not.
    """

    table: str
    name: str
    holds: str
    deletion: str
    rows: Rows
    columns: str = ""
    renamed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    kept_back: Mapping[str, str] = field(default_factory=dict)
    single: bool = False

    @property
    def exported(self) -> bool:
        """Whether the export has anything of it."""
        return bool(self.columns)


def of(model: Any, name: str, holds: str, columns: str, **more: Any) -> Place:
    """A table with a column `user`, whose rows go with the user."""
    values: dict[str, Any] = {
        "rows": lambda user_id: model._base_manager.filter(user=user_id),
        "deletion": "deleted",
        "kept_back": ROW,
    }
    return Place(
        **{
            "table": model._meta.db_table,
            "name": name,
            "holds": holds,
            "columns": columns,
            **values,
            **more,
        }
    )

"""Planting a mistake in the product: a few edits of source text, taken back afterwards.

The rest of the product is unchanged, and a text that is no longer there fails loudly.  Where the
database forbids the mistake, the mutant drops that rule too: the mistake would have come with a
schema that allows it.
"""

import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from unittest import mock

from django.db import connection

from deliveries.models import Delivery, Mail
from tests.simulation import tables

_CONSTRAINTS: Final = {
    constraint.name: (model, constraint)
    for model in (Delivery, Mail)
    for constraint in model._meta.constraints
}


@dataclass(frozen=True, slots=True)
class Edit:
    """In the source of `function`, `old` becomes `new`."""

    function: Callable[..., Any]
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Value:
    """In a module or class this name has another value, or has one at last."""

    owner: Any
    name: str
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One mistake.

    `dropped` names constraints, and triggers as `trigger on table`; `column` is a column to add, as
    `table: definition`.  `besides` says which second protection had to go as well, if any.
    """

    name: str
    edits: tuple[Edit, ...] = ()
    values: tuple[Value, ...] = ()
    dropped: tuple[str, ...] = ()
    column: str = ""
    besides: str = ""

    @contextmanager
    def planted(self) -> Iterator[None]:
        """The product with the mistake in it; as it was afterwards, its tables empty."""
        with ExitStack() as stack:
            stack.callback(tables.wipe)
            for rule in self.dropped:
                stack.enter_context(_without(rule))
            if self.column:
                stack.enter_context(_with_column(*self.column.split(": ")))
            for value in self.values:
                patch = mock.patch.object(value.owner, value.name, value.value, create=True)
                stack.enter_context(patch)
            for edit in self.edits:
                stack.enter_context(_edited(edit))
            yield


_sources: dict[Any, str] = {}


@contextmanager
def _edited(edit: Edit) -> Iterator[None]:
    """Other code in the same function, so that whoever imported it has the mistake as well."""
    function = edit.function
    before = function.__code__
    source = _sources.get(function) or textwrap.dedent(inspect.getsource(function))
    if edit.old not in source:
        raise LookupError(f"{function.__qualname__} does not say: {edit.old}")
    changed = source.replace(edit.old, edit.new)
    made: dict[str, Any] = {}
    exec(compile(changed, inspect.getfile(function), "exec"), function.__globals__, made)
    function.__code__, _sources[function] = made[function.__name__].__code__, changed
    try:
        yield
    finally:
        function.__code__, _sources[function] = before, source


@contextmanager
def _without(rule: str) -> Iterator[None]:
    """The test's database without one constraint or trigger."""
    trigger, _, table = rule.partition(" on ")
    if table:
        _sql(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
    else:
        with connection.schema_editor() as editor:
            editor.remove_constraint(*_CONSTRAINTS[rule])
    try:
        yield
    finally:
        tables.wipe()
        if table:
            _sql(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")
        else:
            with connection.schema_editor() as editor:
                editor.add_constraint(*_CONSTRAINTS[rule])


@contextmanager
def _with_column(table: str, definition: str) -> Iterator[None]:
    _sql(f"ALTER TABLE {table} ADD COLUMN {definition}")
    try:
        yield
    finally:
        _sql(f"ALTER TABLE {table} DROP COLUMN {definition.split()[0]}")


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)

"""Walking down a syntax tree, knowing which boundaries, functions and classes are around."""

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from tests.effects.names import Boundary, Module, Names, Place, stored

HOME: Final = "accounts/boundaries.py"
KINDS: Final = frozenset({"commit", "effect", "undone"})
SHAPE: Final = re.compile(r"[a-z]+([ -][a-z]+)*: [a-z]+([ -][a-z]+)*")
OWN: Final = "accounts.boundaries."
# Decorators after which a function is still called only by its name.
_PLAIN: Final = frozenset(
    "staticmethod classmethod property cached_property setter cache lru_cache contextmanager wraps"
    " override overload".split()
)


def is_private(name: str) -> bool:
    """Whether a name begins with one underscore."""
    return name.startswith("_") and not name.startswith("__")


def last_name(node: ast.expr) -> str:
    """The name that stands last: of `a.b`, `b`; of a call or an item, with its brackets."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner):
            return f"{last_name(inner)}()"
        case ast.Subscript(value=inner):
            return f"{last_name(inner)}[]"
    return "?"


class Surroundings(ast.NodeVisitor):
    """Keeps what is around the node at hand; notes boundaries on the way."""

    def __init__(self, module: Module, modules: Mapping[str, Module]) -> None:
        self.module = module
        self.names = Names(module, modules)
        self.kinds: frozenset[str] = frozenset()
        self.owners: tuple[str, ...] = ()
        self.scope: tuple[str, ...] = ()

    def misuse(self, node: ast.stmt | ast.expr, what: str) -> None:
        """Note that a boundary is used in a way it must not be."""
        self.module.misuses.append((node.lineno, what))

    def mention(self, line: int, name: str) -> None:
        """Note where a private function may be called, now or later."""
        if is_private(name):
            self.module.mentions.append(Place(line, name, self.kinds, self.owners))

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        """What follows a boundary in the same line, and the body, stands inside it."""
        before = self.kinds
        for item in node.items:
            call = item.context_expr
            kind = self._kind(call)
            if kind and isinstance(call, ast.Call):
                self._note_boundary(kind, call)
                self.kinds |= {kind}
            else:
                self.visit(item)
        for statement in node.body:
            self.visit(statement)
        self.kinds = before

    visit_AsyncWith = visit_With  # noqa: N815

    def _kind(self, node: ast.expr) -> str | None:
        if not isinstance(node, ast.Call):
            return None
        name, path = last_name(node.func), self.names.path(node.func)
        if path.startswith(OWN) and name in KINDS:
            return name
        if name in KINDS:
            self.misuse(node, f"{name}(): not the one of accounts.boundaries")
        return None

    def _note_boundary(self, kind: str, call: ast.Call) -> None:
        if kind == "undone":
            return
        match call.args:
            case [ast.Constant(value=str(name))] if SHAPE.fullmatch(name):
                self.module.boundaries.append(Boundary(call.lineno, name))
            case _:
                self.misuse(call, f'{kind}(): its name is no literal "area: step"')

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Decorators and defaults are read where it is defined, annotations nowhere."""
        for decorator in node.decorator_list:
            self.visit(decorator)
            if last_name(decorator).removesuffix("()") not in _PLAIN:
                self.mention(decorator.lineno, node.name)
        self._visit_defaults(node.args)
        name = ".".join((*self.scope, node.name))
        self.module.functions.add(name)
        owners, self.owners = self.owners, (*self.owners, name)
        with self._within(node, node.name):
            for statement in node.body:
                self.visit(statement)
        self.owners = owners

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """A function without a name."""
        self._visit_defaults(node.args)
        with self._within(node):
            self.visit(node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Methods are named after their class."""
        for part in [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]:
            self.visit(part)
        scope, self.scope = self.scope, (*self.scope, node.name)
        for statement in node.body:
            self.visit(statement)
        self.scope = scope

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """A type changes nothing."""
        if node.value:
            self.visit(node.value)

    def _visit_defaults(self, arguments: ast.arguments) -> None:
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default:
                self.visit(default)

    @contextmanager
    def _within(self, node: ast.AST, *name: str) -> Iterator[None]:
        scope, self.scope = self.scope, (*self.scope, *name)
        self.names.local.append(set(stored(node)))
        yield
        self.names.local.pop()
        self.scope = scope

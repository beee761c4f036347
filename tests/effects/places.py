"""One pass over a file: its changes, its boundaries, and its mentions of private functions."""

import ast
from collections.abc import Mapping
from typing import Final

from tests.effects.kinds import (
    Need,
    need_of_call,
    need_of_function,
    need_of_method,
    need_of_value,
)
from tests.effects.names import Module, Place, module_of
from tests.effects.surroundings import KINDS, OWN, Surroundings, last_name

_BY_NAME: Final = frozenset({"getattr", "attrgetter", "methodcaller"})


def read(sources: Mapping[str, str]) -> list[Module]:
    """Every file, looked through; names are followed from file to file."""
    modules = [module_of(path, source) for path, source in sources.items()]
    named = {module.name: module for module in modules}
    for module in modules:
        _Walk(module, named).visit(module.tree)
    return modules


class _Walk(Surroundings):
    """Notes the changes it meets and the private names."""

    def _change(self, node: ast.expr, need: Need) -> None:
        what = " ".join(ast.unparse(node).split())
        what = what if len(what) <= 60 else f"{what[:20]}…{what[-39:]}"
        place = Place(node.lineno, what, self.kinds, self.owners, need)
        self.module.changes.append(place)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        """Nothing may hide where it comes from; the watchers are for tests."""
        for alias in node.names:
            path = self.module.imports[alias.asname or alias.name]
            if alias.name == "*":
                self.misuse(node, f"import *: hides what comes from {node.module}")
            elif path.startswith(OWN) and alias.name not in KINDS:
                self.misuse(node, f"{alias.name}: only for accounts/boundaries.py and tests")

    def visit_Name(self, node: ast.Name) -> None:  # noqa: N802
        """A name that is not called here."""
        if isinstance(node.ctx, ast.Load):
            self._value(node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:  # noqa: N802
        """An attribute that is not called here."""
        if isinstance(node.ctx, ast.Load):
            self._value(node, node.attr)
        self.visit(node.value)

    def _value(self, node: ast.Name | ast.Attribute, name: str) -> None:
        path = self.names.path(node)
        self.mention(node.lineno, name)
        own = path.removeprefix(OWN)
        if own != path and "." not in own:  # the name itself, not what it has
            only = "as a `with`" if own in KINDS else "for accounts/boundaries.py and tests"
            self.misuse(node, f"{own}: only {only}")
        if need := self._need(node, path) or need_of_value(path, name):
            self._change(node, need)

    def _need(self, node: ast.Name | ast.Attribute, path: str) -> Need | None:
        if self.names.is_ours(path) or not (path or isinstance(node, ast.Attribute)):
            return None
        receiver = last_name(node.value) if isinstance(node, ast.Attribute) else ""
        return need_of_function(path) or need_of_method(receiver, last_name(node))

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        """A call, judged by what is called and by its arguments."""
        name, path = last_name(node.func), self.names.path(node.func)
        if not isinstance(node.func, ast.Name | ast.Attribute) or path.startswith(OWN):
            self.visit(node.func)
        else:
            self.mention(node.lineno, name)
            need = self._need(node.func, path)
            if need is None and not self.names.is_ours(path):
                is_method = isinstance(node.func, ast.Attribute)
                need = need_of_call(path, name, node, self.names.text, is_method=is_method)
            if need:
                self._change(node.func, need)
            if isinstance(node.func, ast.Attribute):
                self.visit(node.func.value)
        arguments = node.args[:1] if name in {"isinstance", "issubclass"} else node.args
        for argument in [*arguments, *(keyword.value for keyword in node.keywords)]:
            self.visit(argument)
            if name in _BY_NAME and isinstance(argument, ast.Constant):
                self._by_name(argument)

    def _by_name(self, node: ast.Constant) -> None:
        name = str(node.value)
        self.mention(node.lineno, name)
        if need := need_of_method("", name) or need_of_value("", name):
            self._change(node, need)

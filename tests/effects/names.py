"""What names and texts mean in the files that are looked through."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.effects.kinds import OPAQUE, Need


@dataclass(frozen=True, slots=True)
class Place:
    """A change that needs something, or a mention of a function: in which boundaries it stands,
    and in which functions, the outermost first."""

    line: int
    what: str
    kinds: frozenset[str]
    owners: tuple[str, ...]
    need: Need | None = None


@dataclass(frozen=True, slots=True)
class Boundary:
    """A `with` of accounts.boundaries and the name it is given."""

    line: int
    name: str


@dataclass(eq=False)
class Module:
    """What one file holds; names of `functions` are dotted, within the file."""

    path: str
    name: str
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    constants: dict[str, ast.expr | None] = field(default_factory=dict)
    defined: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    changes: list[Place] = field(default_factory=list)
    mentions: list[Place] = field(default_factory=list)
    boundaries: list[Boundary] = field(default_factory=list)
    misuses: list[tuple[int, str]] = field(default_factory=list)


def module_of(path: str, source: str) -> Module:
    """A file, and what its names are bound to."""
    parts = path.removesuffix(".py").split("/")
    package = parts[:-1]
    name = ".".join(package if parts[-1] == "__init__" else parts)
    module = Module(path, name, ast.parse(source))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                module.imports[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(node, ast.ImportFrom):
            origin = _origin(node, package)
            module.imports |= {a.asname or a.name: f"{origin}.{a.name}" for a in node.names}
    _note_constants(module)
    return module


def _origin(node: ast.ImportFrom, package: list[str]) -> str:
    near = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*near, *([node.module] if node.module else [])])


def _note_constants(module: Module) -> None:
    """The values of names bound once at the top of a file; None for those bound otherwise."""
    for statement in module.tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            module.defined.add(statement.name)
            continue
        value: ast.expr | None = None
        match statement:
            case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign():
                value = statement.value
        for name in stored(statement):
            module.constants[name] = None if name in module.constants else value
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            module.constants |= dict.fromkeys(node.names)


def stored(node: ast.AST) -> Iterator[str]:
    """The names that are bound somewhere in a piece of code, parameters included."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.arg):
            yield part.arg


class Names:
    """What names mean at one place of a module; `local`: those the functions around it bind."""

    def __init__(self, module: Module, modules: Mapping[str, Module]) -> None:
        self.module = module
        self.modules = modules
        self.local: list[set[str]] = []

    def path(self, node: ast.expr) -> str:
        """The dotted path from an import or builtin on, or "" for anything else."""
        if isinstance(node, ast.Attribute):
            before = self.path(node.value)
            return self._followed(f"{before}.{node.attr}") if before else ""
        if not isinstance(node, ast.Name) or any(node.id in names for names in self.local):
            return ""
        if node.id in self.module.imports:
            return self._followed(self.module.imports[node.id])
        if node.id in self.module.defined or node.id in self.module.constants:
            return f"{self.module.name}.{node.id}"
        return f"builtins.{node.id}"

    def _followed(self, path: str) -> str:
        """The path by which a name is known where it comes from, not where it was re-exported."""
        for _ in range(8):
            origin, _, name = path.rpartition(".")
            if origin not in self.modules or name not in self.modules[origin].imports:
                break
            path = self.modules[origin].imports[name]
        return path

    def is_ours(self, path: str) -> bool:
        """Whether a path is a function or class of a file that is looked through itself."""
        origin, _, name = path.rpartition(".")
        return origin in self.modules and name in self.modules[origin].defined

    def text(self, node: ast.expr) -> str | None:
        """A text as far as it is constant, OPAQUE for the parts that are not; or None."""
        match node:
            case ast.Constant(value=str(value)):
                return value
            case ast.JoinedStr(values=parts):
                return "".join(self.text(part) or OPAQUE for part in parts)
            case ast.FormattedValue(value=inner):
                return self.text(inner)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return (self.text(left) or OPAQUE) + (self.text(right) or OPAQUE)
            case ast.BinOp(left=left, op=ast.Mod()):
                return self.text(left)
            case ast.Call(func=ast.Attribute(value=inner, attr="format" | "strip")):
                return self.text(inner)
            case ast.Name() | ast.Attribute():
                return self._constant(self.path(node))
        return None

    def _constant(self, path: str) -> str | None:
        origin, _, name = path.rpartition(".")
        module = self.modules.get(origin)
        value = module.constants.get(name) if module else None
        return Names(module, self.modules).text(value) if module and value else None

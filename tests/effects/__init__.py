"""Finds every place where the product's code changes something, and whether a boundary is around.

Reads the code, runs nothing.  A place is inside a boundary when it stands in the body of `with
commit(…)`, `effect(…)` or `undone()` of accounts.boundaries, closures made there included; or in a
function whose name begins with one underscore and whose every mention, of which there is one, is
inside a boundary by this same rule.  Database writes need a commit (or undone), all else an effect.

Left out: migrations, and scout_project/, which only starts servers before there is a database.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.effects.kinds import Need
from tests.effects.names import Module, Place
from tests.effects.places import read
from tests.effects.surroundings import HOME, KINDS, is_private

ROOT: Final = Path(__file__).resolve().parents[2]
APPS: Final = ("accounts", "jobs", "deliveries")
_SATISFIED_BY: Final[Mapping[Need | None, frozenset[str]]] = {
    "commit": frozenset({"commit", "undone"}),
    "effect": frozenset({"effect"}),
    "nowhere": frozenset(),
}
_FAULTS: Final[Mapping[Need | None, str]] = {
    "commit": "outside a boundary (a commit)",
    "effect": "outside a boundary (an effect)",
    "nowhere": "outside a boundary (a transaction made by hand)",
}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What stands where it must not; `function`: its dotted name within the file, or ""."""

    path: str
    line: int
    function: str
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


@cache
def product() -> Mapping[str, str]:
    """The product's source by path, relative to the checkout."""
    files = (file for app in APPS for file in sorted((ROOT / app).rglob("*.py")))
    return {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in files
        if "migrations" not in file.parts
    }


def boundary_names() -> dict[str, str]:
    """The product's boundaries: the name of each, and where it is, as "file:line"."""
    return dict(_product_sites())


@cache
def _product_sites() -> tuple[tuple[str, str], ...]:
    return tuple(sites(read(product())))


def sites(modules: Iterable[Module]) -> list[tuple[str, str]]:
    """Every name with its place, a name that stands twice twice."""
    return [
        (boundary.name, f"{module.path}:{boundary.line}")
        for module in modules
        for boundary in module.boundaries
    ]


def findings(sources: Mapping[str, str]) -> list[Finding]:
    """Every change outside a boundary, and every misuse of one, by file and line."""
    modules = read(sources)
    found: set[Finding] = set()
    for module in (module for module in modules if module.path != HOME):
        inside = _inside(module, _known_to_others(module, modules))
        for place in module.changes:
            if not _around(place, inside) & _SATISFIED_BY[place.need]:
                owner = place.owners[-1] if place.owners else ""
                what = f"{place.what}: {_FAULTS[place.need]}"
                found.add(Finding(module.path, place.line, owner, what))
        found |= {Finding(module.path, line, "", what) for line, what in module.misuses}
    return sorted(found | _taken_twice(modules))


def _taken_twice(modules: Iterable[Module]) -> set[Finding]:
    first: dict[str, str] = {}
    found = set()
    for module in modules:
        for boundary in module.boundaries:
            where = f"{module.path}:{boundary.line}"
            taken = first.setdefault(boundary.name, where)
            if taken != where:
                what = f'"{boundary.name}": is the name of {taken} already'
                found.add(Finding(module.path, boundary.line, "", what))
    return found


def _around(place: Place, inside: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The kinds of boundaries around a place, also those around the functions it stands in."""
    return place.kinds.union(*(inside[owner] for owner in place.owners))


def _inside(module: Module, known: frozenset[str]) -> dict[str, frozenset[str]]:
    """What is around each function whenever it runs: of a private one everything is believed
    until a mention says less."""
    mentions: dict[str, list[Place]] = {}
    inside: dict[str, frozenset[str]] = {}
    for function in module.functions:
        name = function.rpartition(".")[2]
        places = [mention for mention in module.mentions if mention.what == name]
        called = any(function not in place.owners for place in places)
        mentions[function] = places
        believed = is_private(name) and called and name not in known
        inside[function] = KINDS if believed else frozenset()
    while True:
        less = {
            function: kinds.intersection(*(_around(p, inside) for p in mentions[function]))
            for function, kinds in inside.items()
        }
        if less == inside:
            return inside
        inside = less


def _known_to_others(module: Module, modules: Iterable[Module]) -> frozenset[str]:
    """The private names of a module that others import, or use without defining any such."""
    names: set[str] = set()
    for other in modules:
        if other is not module:
            own = {name.rpartition(".")[2] for name in other.functions}
            names |= {mention.what for mention in other.mentions} - own
            for target in other.imports.values():
                origin, _, name = target.rpartition(".")
                names |= {name} if origin == module.name else set()
    return frozenset(names)

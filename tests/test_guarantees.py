"""docs/guarantees.md promises nothing that is not there, and leaves nothing of the pipeline out."""

import ast
import re
from functools import cache
from typing import Final

from tests.effects import ROOT, boundary_names
from tests.effects.surroundings import SHAPE
from tests.simulation.violations import ASSERTIONS

PAGE: Final = ROOT / "docs/guarantees.md"
PIPELINE: Final = (
    *("deliveries/ledger/", "deliveries/sending/", "deliveries/work/", "jobs/"),
    *("deliveries/scan.py", "deliveries/digest.py", "deliveries/alerts.py"),
)


@cache
def quoted() -> frozenset[str]:
    """Everything the page writes as code."""
    return frozenset(re.findall(r"`([^`\n]+)`", PAGE.read_text(encoding="utf-8")))


def exists(test: str) -> bool:
    """Whether a test, as "tests/path.py::test_name", is in its file."""
    path, _, name = test.partition("::")
    file = ROOT / path
    tree = ast.parse(file.read_text(encoding="utf-8")) if file.is_file() else ast.Module([], [])
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return name.startswith("test_") and name in functions


def test_every_test_it_names_exists():
    named = {code for code in quoted() if "::" in code}
    assert len(named) > 50
    assert [test for test in sorted(named) if not exists(test)] == []


def test_every_boundary_it_names_exists():
    assert {code for code in quoted() if SHAPE.fullmatch(code)} - boundary_names().keys() == set()


def test_every_boundary_of_the_pipeline_is_in_it():
    names = {name for name, where in boundary_names().items() if where.startswith(PIPELINE)}
    assert len(names) > 35
    assert names - quoted() == set()


def test_its_assertions_are_those_of_the_simulation():
    rows = re.findall(r"^\| (\d+) \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(number): words for number, words in rows} == ASSERTIONS
    assert len(rows) == len(ASSERTIONS)


def test_the_other_pages_lead_to_it():
    for page in ("README.md", "docs/operating.md"):
        assert "guarantees.md" in (ROOT / page).read_text(encoding="utf-8")

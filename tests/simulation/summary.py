"""What the simulation came to, at the end of pytest's output: a line for every mutant."""

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Properties travel with reports from the workers of pytest-xdist, too."""
    lines = [
        words
        for report in terminalreporter.getreports("passed")
        if report.when == "call"
        for name, words in report.user_properties
        if name == "mutant"
    ]
    if lines:
        terminalreporter.section("mutants")
        for line in sorted(lines, key=lambda line: (", survived " in line, line)):
            terminalreporter.write_line(line)

#!/usr/bin/env python
"""Django's command line, with the embedded database started and up to date where it is used."""

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scout_project.settings")
    try:
        from scout_project import command_line
    except ModuleNotFoundError as error:
        sys.exit(
            f"The Python package {error.name} is not installed for {sys.executable}:"
            " use `./dev manage …`, or `pip install` what pyproject.toml lists."
        )
    command_line.run(sys.argv)


if __name__ == "__main__":
    main()

"""`manage.py add_user`: a user ready to receive."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.profiles import ProfileChanges, ProfileError, read_profile
from deliveries.people import save_profile
from deliveries.work.clock import Clock


class Command(BaseCommand):
    """Make a user, or change what a profile file gives."""

    help = "Add a user ready to receive; given again, change only what the file says."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address, and what is known about the person."""
        parser.add_argument("email")
        parser.add_argument(
            "--preferences", metavar="FILE.json", help="one JSON object: searches and preferences"
        )
        parser.add_argument("--staff", action="store_true", help="may enter the admin")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make or change the user; raises CommandError naming what is wrong."""
        path = options["preferences"]
        changes = _read(path) if path is not None else ProfileChanges()
        now = Clock().now()
        try:
            enrolled = save_profile(options["email"], changes, now=now, staff=options["staff"])
        except ProfileError as error:
            raise CommandError(f"{path}: {error}") from None
        except ValidationError as error:
            raise CommandError(
                f"{options['email']!r} cannot be added: {' '.join(error.messages)}"
                " Give an address such as ana@example.com."
            ) from None
        verb = "Added" if enrolled.created else "Changed" if enrolled.changed else "Unchanged:"
        self.stdout.write(f"{verb} {enrolled.user.email}.")


def _read(path: str) -> ProfileChanges:
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        return read_profile(json.loads(text, object_pairs_hook=_once))
    except OSError as error:
        raise CommandError(f"Cannot read {path}: {error.strerror}. Give a readable file.") from None
    except ProfileError as error:
        raise CommandError(f"{path}: {error}") from None
    except ValueError as error:
        raise CommandError(f"{path} cannot be read as JSON in UTF-8: {error}.") from None
    except RecursionError:
        raise CommandError(f"{path} is nested too deeply: give one flat object.") from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object; raises ProfileError for a key given twice, of which only one would count."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ProfileError(f"{twice!r:.60} is given twice: give it once.")
    return found

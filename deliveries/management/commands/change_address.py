"""`manage.py change_address`: give a user another address."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.identity import normalise_email
from accounts.models import User
from deliveries.moving import AddressTakenError, UnknownUserError, change_address
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError


class Command(BaseCommand):
    """Move one user to another address."""

    help = "Change a user's address; what was sent before is not sent again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """From where to where."""
        parser.add_argument("old", metavar="OLD")
        parser.add_argument("new", metavar="NEW")

    def handle(self, *args: Any, **options: Any) -> None:
        """Change it; raises CommandError naming what is wrong."""
        old, new = normalise_email(options["old"]), normalise_email(options["new"])
        user = User.objects.filter(email=old).first()
        try:
            if user is None:
                raise UnknownUserError
            key = change_address(user.pk, new, now=Clock().now())
        except UnknownUserError:
            raise CommandError(f"No user has the address {old!r}: add one with add_user.") from None
        except ValidationError as error:
            raise CommandError(
                f"{new!r} cannot be used: {' '.join(error.messages)}"
                " Give an address such as ana@example.com."
            ) from None
        except (AddressTakenError, BusyError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Unchanged: {old}." if key == user.pk else f"Changed {old} to {new}.")

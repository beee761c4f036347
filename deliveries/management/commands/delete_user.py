"""`manage.py delete_user`: delete an account and everything that is known of its person."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.identity import normalise_email
from accounts.models import User
from deliveries.leaving import delete_account
from deliveries.work.clock import Clock
from deliveries.work.patience import BusyError


class Command(BaseCommand):
    """Delete one user."""

    help = "Delete a user with preferences, searches, verdicts, ledger rows and mails, for good."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The address, and that it is meant."""
        parser.add_argument("email")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete the user; raises CommandError for an unknown one, and when it is not meant."""
        email = normalise_email(options["email"])
        user = User.objects.filter(email=email).first()
        if user is None:
            raise CommandError(f"No user has the address {email!r}: nothing was deleted.")
        if not options["yes"]:
            _ask(email)
        try:
            delete_account(user.pk, now=Clock().now())
        except BusyError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Deleted {email}.")


def _ask(email: str) -> None:
    if not sys.stdin.isatty():
        raise CommandError(f"Nothing was deleted: give --yes to delete {email} for good.")
    if input(f"Delete {email} with everything that is theirs, for good? [y/N] ") not in ("y", "Y"):
        raise CommandError("Nothing was deleted.")

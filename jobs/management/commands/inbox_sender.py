"""`manage.py inbox_sender`: a token for somebody who sends jobs, or its end."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from jobs.inbox import senders
from jobs.inbox.senders import SenderNameError


class Command(BaseCommand):
    """Make, renew or revoke a sender of the inbox."""

    help = "Make a token for a sender of POST /inbox/jobs, or a new one; it is shown this once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The sender, and whether it may send no longer."""
        parser.add_argument("name", help="what the sender is called, such as ana-laptop")
        parser.add_argument("--revoke", action="store_true", help="let its token open nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a new token, or revoke the old one; raises CommandError when it cannot."""
        name = options["name"].strip()
        if options["revoke"]:
            if not senders.revoke(name):
                raise CommandError(f"No sender {name!r} may send: nothing was revoked.")
            self.stdout.write(f"Revoked {name}.")
            return
        try:
            token = senders.make(name)
        except SenderNameError as error:
            raise CommandError(str(error)) from None
        self.stderr.write(
            f"{name} sends to {settings.SITE_URL}/inbox/jobs with the header"
            " Authorization: Bearer TOKEN. The token is shown this once:"
        )
        self.stdout.write(token)

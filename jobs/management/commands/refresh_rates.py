"""`manage.py refresh_rates [PATH_OR_URL]`: newer exchange rates."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from jobs.ecb import RatesError
from jobs.exchange import refresh
from jobs.web.asking import Rules


class Command(BaseCommand):
    """Take the European Central Bank's reference rates into use."""

    help = "Take newer exchange rates (the ECB's daily reference rates, as XML) into use."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where they are."""
        parser.add_argument(
            "place",
            nargs="?",
            default=settings.SCOUT_RATES_URL,
            metavar="PATH_OR_URL",
            help="a file or an address; SCOUT_RATES_URL when left out",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Say which day's rates are used now, or why the old ones stay (exit 1)."""
        http = settings.DEBUG or settings.SCOUT_FEED_HTTP
        rules = Rules(allow_http=http, allow_private=settings.DEBUG, most=1024 * 1024)
        try:
            day = refresh(options["place"], now=datetime.now(UTC), rules=rules)
        except RatesError as error:
            raise CommandError(f"The rates in use stay: {error}") from None
        self.stderr.write(f"The rates of {day.on} are used now: {len(day.usd)} currencies.")

"""Start-up checks of the settings, with ids and hints: a wrong one is told before any work."""

from datetime import timedelta
from email.utils import parseaddr
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution

from deliveries import pruning
from deliveries.messages.mail_bytes import AddressError, ascii_address
from deliveries.running import heartbeat
from jobs.ai.configured import configured as configured_scorer
from jobs.sources import SourceError, configured

_AT_LEAST = {
    "SCOUT_MAX_SECONDS": 1,
    "SCOUT_LEASE_SECONDS": 0,
    "SCOUT_FRESH_HOURS": 1,
    "SCOUT_RETENTION_DAYS": 3,
    "EMAIL_TIMEOUT": 1,
    "ALLAUTH_TRUSTED_PROXY_COUNT": 0,
    "SCOUT_AI_MIN_SCORE": 0,
    "SCOUT_AI_SECONDS": 1,
}
_LONG_SECRET = 16


@register
def settings_make_sense(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """scout.E001 sources, E002 scorer, E003 numbers, E004 sender, E005 mail cannot begin,
    W006 retention, W007 cron secret, E008 heartbeat,
    W009 sign-in over http, W018 price of a model."""
    return [
        *_sources(),
        *_scorer(),
        *_numbers(),
        *_sender(),
        *_time_to_send(),
        *_retention(),
        *_cron_secret(),
        *_heartbeat(),
        *_secure_cookies(),
    ]


def _sources() -> list[CheckMessage]:
    try:
        configured(settings.SCOUT_SOURCES)
    except SourceError as error:
        return [Error(str(error), hint="Correct SCOUT_SOURCES.", id="scout.E001")]
    return []


def _scorer() -> list[CheckMessage]:
    try:
        scorer = configured_scorer()
    except ValueError as error:
        what = f"SCOUT_SCORER is {settings.SCOUT_SCORER!r}: {error}"
        hint = (
            "Set it to local, openai:NAME or anthropic:NAME, and SCOUT_AI_PRICES to NAME=IN/OUT:"
            " docs/ai.md shows both."
        )
        return [Error(what, hint=hint, id="scout.E002")]
    if scorer is None or scorer.knows_price:
        return []
    what = f"The price of {scorer.model.name} is not known: SCOUT_AI_CEILING_PRICE counts for it."
    hint = f"Set SCOUT_AI_PRICES to {scorer.model.name}=IN/OUT, US$ for a million tokens."
    return [Caution(what, hint=hint, id="scout.W018")]


def _numbers() -> list[CheckMessage]:
    return [
        Error(
            f"{name} is {getattr(settings, name)}; the least is {least}.",
            hint=f"Set {name} to {least} or more, or leave it out.",
            id="scout.E003",
        )
        for name, least in _AT_LEAST.items()
        if getattr(settings, name) < least
    ]


def _sender() -> list[CheckMessage]:
    try:
        ascii_address(parseaddr(settings.DEFAULT_FROM_EMAIL)[1])
    except AddressError as error:
        what = f"DEFAULT_FROM_EMAIL cannot stand in a mail: {error}."
        hint = "Set it to an address, or to Name <address>."
        return [Error(what, hint=hint, id="scout.E004")]
    return []


def _time_to_send() -> list[CheckMessage]:
    if 2 * settings.EMAIL_TIMEOUT < settings.SCOUT_MAX_SECONDS:
        return []
    what = (
        f"EMAIL_TIMEOUT is {settings.EMAIL_TIMEOUT} and SCOUT_MAX_SECONDS"
        f" {settings.SCOUT_MAX_SECONDS}: no send would ever fit before the wall."
    )
    hint = "Let SCOUT_MAX_SECONDS be more than twice EMAIL_TIMEOUT."
    return [Error(what, hint=hint, id="scout.E005")]


def _retention() -> list[CheckMessage]:
    """What is pruned must be too old to be matched: pruning keeps to that, and says so here."""
    least = -(-pruning.shortest_retention() // timedelta(days=1))
    if least <= settings.SCOUT_RETENTION_DAYS:
        return []
    what = (
        f"SCOUT_RETENTION_DAYS is {settings.SCOUT_RETENTION_DAYS}, but with SCOUT_FRESH_HOURS"
        f" {settings.SCOUT_FRESH_HOURS} a job could come again: {least} days are kept instead."
    )
    hint = f"Set SCOUT_RETENTION_DAYS to {least} or more, or SCOUT_FRESH_HOURS to less."
    return [Caution(what, hint=hint, id="scout.W006")]


def _cron_secret() -> list[CheckMessage]:
    if not settings.CRON_SECRET or len(settings.CRON_SECRET) >= _LONG_SECRET:
        return []
    what = f"CRON_SECRET has {len(settings.CRON_SECRET)} characters and could be guessed."
    hint = "Make one with: openssl rand -hex 32"
    return [Caution(what, hint=hint, id="scout.W007")]


def _heartbeat() -> list[CheckMessage]:
    if not settings.HEARTBEAT_URL or heartbeat.is_allowed(settings.HEARTBEAT_URL):
        return []
    what = "HEARTBEAT_URL is no https address, so no heartbeat would be sent."
    hint = "Set it to an https address, or leave it out."
    return [Error(what, hint=hint, id="scout.E008")]


def _secure_cookies() -> list[CheckMessage]:
    if settings.SITE_URL.startswith("https:") or not settings.SESSION_COOKIE_SECURE:
        return []
    what = "SITE_URL is no https address: browsers keep no secure cookie, nobody can sign in."
    return [Caution(what, hint="Serve the site by https, and say so in SITE_URL.", id="scout.W009")]

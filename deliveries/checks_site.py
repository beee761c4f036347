"""Start-up checks of where the site is and how mail leaves it; see `checks` for the rest."""

import os
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution
from django.core.mail.backends.smtp import EmailBackend

from deliveries.sending.transport import DJANGO_SMTP, transport_from_settings

OUTBOX = "deliveries.outbox.EmailBackend"


@register
def the_site_can_be_run(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """scout.E010 outbox outside development, E011 mail backend, W012 mail server, W013 and E014
    hosts, W015 embedded database, E016 path in SITE_URL, W017 secret in addresses."""
    return [found for found in _all() if isinstance(found, Error)]


@register(deploy=True)
def the_site_is_run_with_care(app_configs: Any = None, **_: Any) -> list[CheckMessage]:
    """The warnings among them, which `check --deploy` tells: they do not stand in the way."""
    return [found for found in _all() if not isinstance(found, Error)]


def _all() -> list[CheckMessage]:
    return [*_mail(), *_hosts(), *_addresses()]


def _mail() -> list[CheckMessage]:
    if settings.EMAIL_BACKEND == OUTBOX:
        what = "EMAIL_BACKEND is the development outbox, which shows every mail to everybody."
        hint = "Set EMAIL_HOST, or EMAIL_BACKEND to a mail provider's."
        return [] if settings.DEBUG else [Error(what, hint=hint, id="scout.E010")]
    try:
        if settings.EMAIL_BACKEND == DJANGO_SMTP:
            EmailBackend()
            trouble = ""
        else:
            refused = transport_from_settings().open()  # contacts nobody
            trouble = refused.error if refused else ""
    except Exception as error:  # noqa: BLE001 -- whatever is wrong with it is to be told
        trouble = f"{type(error).__name__}: {error}"
    if trouble:
        what = f"No mail can be sent with EMAIL_BACKEND {settings.EMAIL_BACKEND}: {trouble}"
        return [Error(what, hint="Correct EMAIL_… or ANYMAIL_….", id="scout.E011")]
    if settings.EMAIL_BACKEND == DJANGO_SMTP and "EMAIL_HOST" not in os.environ:
        what = f"EMAIL_HOST is not set: mail goes to {settings.EMAIL_HOST}:{settings.EMAIL_PORT}."
        return [Caution(what, hint="Set EMAIL_HOST to your mail server.", id="scout.W012")]
    return []


def _hosts() -> list[CheckMessage]:
    if "*" in settings.ALLOWED_HOSTS:
        what = "ALLOWED_HOSTS has *: the site answers under any name."
        return [Caution(what, hint="List the site's own hosts.", id="scout.W013")]
    host, allowed = settings.SITE_HOST, settings.ALLOWED_HOSTS
    if host in allowed or any(a.startswith(".") and f".{host}".endswith(a) for a in allowed):
        return []
    what = f"ALLOWED_HOSTS does not have {host}, where SITE_URL says the site is."
    return [Error(what, hint=f"Add {host} to ALLOWED_HOSTS.", id="scout.E014")]


def _addresses() -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if not settings.DEBUG and not settings.DATABASE_URL:
        what = "DATABASE_URL is not set: the site stands on the development database in var/."
        found.append(Caution(what, hint="Set it to your PostgreSQL.", id="scout.W015"))
    if urlsplit(settings.SITE_URL).path:
        what = f"SITE_URL has a path ({urlsplit(settings.SITE_URL).path}): no page is served there."
        found.append(Error(what, hint="Give scheme and host only.", id="scout.E016"))
    if settings.SCOUT_CRON_SECRET_IN_QUERY:
        what = "SCOUT_CRON_SECRET_IN_QUERY is on: proxies write the secret into their logs."
        hint = "Send it as Authorization: Bearer, and leave this out."
        found.append(Caution(what, hint=hint, id="scout.W017"))
    return found

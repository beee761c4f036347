"""Telling a monitor elsewhere that a scan went well; its silence is then the alarm."""

import logging
from typing import Final
from urllib.parse import urlsplit

import requests
from django.conf import settings

from accounts.boundaries import effect
from accounts.deadline import within

log = logging.getLogger(__name__)
_SECONDS: Final = 5.0
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


def is_allowed(url: str) -> bool:
    """Whether a heartbeat may go there: https, in development also http on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    local = settings.DEBUG and parts.scheme == "http" and host in _LOOPBACK
    return bool(host) and (parts.scheme == "https" or local)


def beat() -> None:
    """GET HEARTBEAT_URL, if one is set; takes at most five seconds and never raises."""
    url = settings.HEARTBEAT_URL
    if not url or not is_allowed(url):
        return
    try:
        with effect("heartbeat: beat"):
            within(_SECONDS, lambda: _get(url))
    except Exception as error:  # noqa: BLE001 -- a monitor's trouble is none of the scan's
        log.warning("the heartbeat failed: %s", type(error).__name__)


def _get(url: str) -> None:
    requests.get(url, timeout=_SECONDS, allow_redirects=False).raise_for_status()

"""An alert as it looks, for the front page: an invented post through the real scorer and mail."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from accounts.terms import SearchTerms
from deliveries.messages import MailContext, Rendered, render_alert
from deliveries.messages.tried_card import card_of
from jobs.matching import FreshJobs
from jobs.postings.posting import Posting
from jobs.preview import preview
from jobs.table import JobTable

_NOW: Final = datetime(2026, 11, 2, 9, 24, tzinfo=UTC)
_SEARCH: Final = SearchTerms(
    headline="Django developer",
    skills=("Django", "PostgreSQL", "REST API"),
    min_hourly=Decimal(40),
    payment_verified_only=True,
)
_POSTING: Final = Posting(
    id="example:1",
    url="https://www.upwork.com/jobs/~021990000000000000123",
    title="Django developer for a booking system",
    description=(
        "We run a booking site for small museums, built with Django and PostgreSQL. We look for"
        " somebody to build the REST API for our new app, write its tests, and speed up the slowest"
        " queries. About twenty hours a week, start within a fortnight."
    ),
    skills=("Django", "PostgreSQL", "REST API", "pytest"),
    job_type="hourly",
    hourly_min=Decimal(45),
    hourly_max=Decimal(70),
    currency="USD",
    experience_level="expert",
    duration="quarter",
    client_country="NL",
    client_spent=Decimal(18_400),
    client_hires=23,
    client_hire_rate=Decimal(88),
    client_payment_verified=True,
    client_rating=Decimal("4.9"),
    proposals=5,
    posted_at=_NOW - timedelta(minutes=12),
)
_LINK: Final = re.compile(r' href="[^"]*"')


@require_safe
@cache_control(public=True, max_age=3600)
@xframe_options_sameorigin
def example_alert(request: HttpRequest) -> HttpResponse:
    """The HTML part of an example alert, for a frame; its links lead nowhere."""
    response = HttpResponse(_html())
    response["Content-Security-Policy"] = (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
    )
    response["X-Robots-Tag"] = "noindex"
    return response


@lru_cache(maxsize=1)
def _html() -> str:
    message = message_from_bytes(example_mail().raw, EmailMessage, policy=policy.default)
    html = message.get_body(("html",))
    assert html is not None  # noqa: S101 -- every alert has one
    return _LINK.sub("", html.get_content())


def example_mail() -> Rendered:
    """The mail itself, scored and rendered as any other."""
    one = FreshJobs((_POSTING.id,), JobTable.of((_POSTING,), (_NOW,)), (_NOW,), (1,))
    [shown] = preview(_SEARCH, one, now=_NOW).sent
    card = replace(card_of(shown), more_url=settings.SITE_URL, less_url=settings.SITE_URL)
    context = MailContext(
        recipient="you@example.com",
        sender=settings.DEFAULT_FROM_EMAIL,
        site_url=settings.SITE_URL,
        unsubscribe_url=settings.SITE_URL,
        preferences_url=settings.SITE_URL,
        timezone="Europe/Amsterdam",
        envelope="example",
        sent_date=_NOW,
    )
    return render_alert(context, [card])

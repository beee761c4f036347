"""One job, one context and a reader of mails, for the tests of what mails say."""

from datetime import UTC, date, datetime
from decimal import Decimal
from email import message_from_bytes, policy
from html.parser import HTMLParser
from typing import Any

from deliveries.messages import MailContext, Rendered
from deliveries.messages.job_card import JobCard

CONTEXT = MailContext(
    recipient="ada@example.org",
    sender="Upwork Scout <scout@example.com>",
    site_url="https://scout.example.com",
    unsubscribe_url="https://scout.example.com/u/token/",
    preferences_url="https://scout.example.com/preferences/",
    timezone="Europe/Berlin",
    envelope="env-1_A",
    sent_date=datetime(2026, 11, 26, 8, 0, tzinfo=UTC),
)
CARD = JobCard(
    job_id="upwork:1990000000000000123",
    url="https://www.upwork.com/jobs/~021990000000000000123",
    title="Django API for a logistics start-up",
    score=92,
    reasons=("Django and Celery are among your skills",),
    concerns=("the client asks for a test task",),
    search_name="Back ends",
    job_type="hourly",
    hourly_min=Decimal(45),
    hourly_max=Decimal(60),
    currency="USD",
    experience_level="expert",
    duration="quarter",
    client_country="DE",
    client_spent=Decimal(12340),
    client_hires=14,
    client_hire_rate=Decimal(82),
    client_rating=Decimal("4.9"),
    client_payment_verified=True,
    proposals=15,
    posted_at=datetime(2026, 11, 26, 13, 5, tzinfo=UTC),
    description="We move parcels.\n\nYou build the API.",
    skills=("Django", "Celery"),
)
BARE = JobCard(job_id="upwork:2", title="Bare", score=70)
DAY = date(2026, 11, 26)


class Page(HTMLParser):
    """What a mail reader would find: the text outside <style>, tags with attributes, links."""

    def __init__(self, source):
        super().__init__()
        self.text = ""
        self.tags: list[str] = []
        self.links: list[str] = []
        self._style = False
        self.feed(source)
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag, attrs):
        self._style = tag == "style"
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in {"href", "src"}]

    def handle_endtag(self, tag):
        self._style = False

    def handle_data(self, data):
        self.text += "" if self._style else data


def parsed(mail: Rendered) -> Any:
    """The message, its text and its HTML, lines ended by LF."""
    message: Any = message_from_bytes(mail.raw, policy=policy.default)
    text, html = (
        message.get_body((kind,)).get_content().replace("\r\n", "\n") for kind in ("plain", "html")
    )
    return message, text, html

import re
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from email import message_from_bytes, policy
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deliveries.job_card import JobCard
from deliveries.mail_bytes import AddressError
from deliveries.mail_text import one_line
from deliveries.messages import MAX_BYTES, MAX_JOBS, MailContext, render_alert, render_digest

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
        self.text, self.tags, self.links, self._style = "", [], [], False
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


def parsed(mail):
    message = message_from_bytes(mail.raw, policy=policy.default)
    text, html = (
        message.get_body((kind,)).get_content().replace("\r\n", "\n") for kind in ("plain", "html")
    )
    return message, text, html


def test_alert_headers():
    message, _, _ = parsed(render_alert(CONTEXT, [CARD]))
    assert dict(message.items()) == {
        "From": "Upwork Scout <scout@example.com>",
        "To": "ada@example.org",
        "Subject": "Django API for a logistics start-up · $45–60/h",
        "Date": "Thu, 26 Nov 2026 08:00:00 +0000",
        "Message-ID": "<env-1_A@scout.example.com>",
        "List-Unsubscribe": "<https://scout.example.com/u/token/>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
        "X-Scout-Envelope": "env-1_A",
        "MIME-Version": "1.0",
        "Content-Type": 'multipart/alternative; boundary="=_env-1_A"',
    }
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]


def test_text_of_an_alert():
    _, text, _ = parsed(render_alert(CONTEXT, [CARD]))
    rule = "-" * 78
    assert (
        text
        == f"""A job that fits

You get these because you asked Upwork Scout for jobs that fit.
Preferences:
https://scout.example.com/preferences/
Unsubscribe:
https://scout.example.com/u/token/

{rule}
1. Django API for a logistics start-up
https://www.upwork.com/jobs/~021990000000000000123

Fit 92 of 100 · $45–60 an hour · expert · 1 to 3 months
Germany · $12k spent · 14 hires (82 %) · ★ 4.9 · payment verified
Posted Thu 26 Nov, 14:05 · up to 15 proposals
From your search Back ends

Why it fits
+ Django and Celery are among your skills

What to mind
- the client asks for a test task

We move parcels. You build the API.

Skills: Django, Celery

{rule}
All jobs found for you:
https://scout.example.com/jobs/

Times are those of Europe/Berlin.
""".replace("82 %", "82\xa0%").replace("★ ", "★\xa0")
    )


def test_html_says_the_same():
    _, _, html = parsed(render_alert(CONTEXT, [CARD]))
    page = Page(html)
    assert page.text == (
        "Django API for a logistics start-up · $45–60/h "
        "Django and Celery are among your skills "
        "You get these because you asked Upwork Scout for jobs that fit · "
        "preferences · unsubscribe "
        "A job that fits Django API for a logistics start-up "
        "Fit 92 · $45–60 an hour · expert · 1 to 3 months "
        "Germany · $12k spent · 14 hires (82 %) · ★ 4.9 · payment verified "
        "Posted Thu 26 Nov, 14:05 · up to 15 proposals From your search Back ends "
        "Why it fits Django and Celery are among your skills "
        "What to mind the client asks for a test task "
        "We move parcels. You build the API. Django, Celery "
        "All jobs found for you · preferences · unsubscribe Times are those of Europe/Berlin."
    )
    assert page.links == [
        "https://scout.example.com/preferences/",
        "https://scout.example.com/u/token/",
        "https://www.upwork.com/jobs/~021990000000000000123",
        "https://scout.example.com/jobs/",
        "https://scout.example.com/preferences/",
        "https://scout.example.com/u/token/",
    ]


def test_html_is_self_contained_inlined_and_knows_dark_mode():
    _, _, html = parsed(render_alert(CONTEXT, [CARD]))
    assert not {"img", "script", "link", "table", "form", "iframe"} & set(Page(html).tags)
    assert "url(" not in html
    assert "@import" not in html
    assert '<html lang="en">' in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert re.search(r'<div class="job" style="[^"]+"', html)


@pytest.mark.parametrize(
    ("cards", "subject"),
    [
        ([BARE], "Bare"),
        ([CARD], "Django API for a logistics start-up · $45–60/h"),
        ([replace(BARE, title="")], "Job without a title"),
        ([CARD, BARE], "2 jobs that fit: Django API for a logistics start-up and 1 more"),
        ([BARE, CARD, CARD], "3 jobs that fit: Bare and 2 more"),
        ([replace(CARD, title="long " * 40)], "long " * 13 + "long… · $45–60/h"),
    ],
)
def test_alert_subjects(cards, subject):
    mail = render_alert(CONTEXT, cards)
    assert (mail.subject, parsed(mail)[0]["Subject"]) == (subject, subject)


def test_digest_subjects():
    assert render_digest(CONTEXT, [CARD] * 12, DAY, 0).subject == (
        "Your 12 best jobs for Thursday 26 November"
    )
    assert render_digest(CONTEXT, [CARD], date(2026, 2, 1), 0).subject == (
        "Your best job for Sunday 1 February"
    )


@pytest.mark.parametrize(
    ("waiting", "sentence"),
    [(1, "1 more job is waiting; see them all"), (7, "7 more jobs are waiting; see them all")],
)
def test_digest_tells_how_many_more_wait(waiting, sentence):
    _, text, html = parsed(render_digest(CONTEXT, [CARD, BARE], DAY, waiting))
    assert f"\n{sentence}:\nhttps://scout.example.com/jobs/\n" in text
    assert sentence in Page(html).text


def test_digest_with_nothing_waiting():
    _, text, html = parsed(render_digest(CONTEXT, [CARD, BARE], DAY, 0))
    assert "waiting" not in text
    assert "waiting" not in Page(html).text
    assert text.startswith("Your 2 best jobs · Thursday 26 November\n")


def test_what_is_not_stated_is_not_shown():
    _, text, html = parsed(render_alert(CONTEXT, [BARE]))
    assert "1. Bare\n\nFit 70 of 100 · pay not stated\n\n---" in text
    assert "A job that fits Bare Fit 70 · pay not stated All jobs" in Page(html).text


@pytest.mark.parametrize(
    "title",
    ["<b>&amp;\"' {{ x }}", "=1+1", "+cmd", "-x", "@SUM(A1)", "🚀 👩‍👩‍👧 Größe", "=?utf-8?q?a?="],
)
def test_escaped_once_and_only_in_html(title):
    card = replace(BARE, title=title, reasons=(title,), description=title, skills=(title,))
    mail = render_alert(CONTEXT, [card])
    _, text, html = parsed(mail)
    assert mail.subject == title
    assert f"1. {title}\n" in text
    assert f"+ {title}\n" in text
    assert Page(html).text.count(title) == 6
    assert "<b>&amp;" not in html


def test_right_to_left_text_is_isolated():
    title = "مطلوب مطور Django"
    mail = render_alert(CONTEXT, [replace(CARD, title=title, skills=("C++", title))])
    _, text, html = parsed(mail)
    assert mail.subject == f"\u2068{title}\u2069 · $45–60/h"
    assert f"1. \u2068{title}\u2069\n" in text
    assert f"Skills: C++, \u2068{title}\u2069\n" in text
    assert re.search(rf'<h2 dir="auto"[^>]*>\s*<a [^>]*>{title}</a>', html)
    assert "\u2068" not in html.partition("</title>")[2]


@pytest.mark.parametrize(
    "url", ["", "http://x.y/", "javascript:alert(1)", 'https://x"y', "https:// x"]
)
def test_only_whole_https_links(url):
    _, text, html = parsed(render_alert(CONTEXT, [replace(BARE, url=url)]))
    assert set(Page(html).links) == {
        "https://scout.example.com/preferences/",
        "https://scout.example.com/u/token/",
        "https://scout.example.com/jobs/",
    }
    assert "1. Bare\n\nFit" in text


@pytest.mark.parametrize("letters", ["a", '"', "&", "🚀", "א", "日", "e\u0301", "\u0301", "a b "])
def test_huge_jobs_stay_small(letters):
    huge = replace(
        CARD,
        title=letters * 5000,
        description=letters * 20_000,
        reasons=(letters * 400,) * 30,
        concerns=(letters * 400,) * 30,
        skills=(letters * 100,) * 30,
        search_name=letters * 80,
    )
    assert len(render_digest(CONTEXT, [huge] * 20, DAY, 5).raw) < MAX_BYTES
    alert = render_alert(CONTEXT, [huge] * MAX_JOBS)
    assert len(alert.raw) < MAX_BYTES
    assert parsed(alert)[1].count("\nFit 92 of 100") == MAX_JOBS
    assert max(map(len, alert.raw.split(b"\r\n"))) <= 120
    alert.raw.decode("ascii")


def test_same_arguments_same_bytes():
    cards = [CARD, BARE, replace(CARD, title="Größe")]
    assert render_alert(CONTEXT, cards) == render_alert(CONTEXT, list(cards))
    assert render_digest(CONTEXT, cards, DAY, 3) == render_digest(CONTEXT, cards, DAY, 3)
    other = render_alert(replace(CONTEXT, envelope="other"), cards)
    assert other.raw != render_alert(CONTEXT, cards).raw


def test_text_stays_within_78_columns():
    card = replace(CARD, description="some words " * 60, reasons=("many words " * 12,))
    _, text, _ = parsed(render_alert(CONTEXT, [card]))
    assert max(map(len, text.splitlines())) <= 78


@pytest.mark.parametrize("count", [0, MAX_JOBS + 1])
def test_a_mail_holds_one_to_thirty_jobs(count):
    with pytest.raises(ValueError, match="1 to 30 jobs"):
        render_alert(CONTEXT, [CARD] * count)
    with pytest.raises(ValueError, match="1 to 30 jobs"):
        render_digest(CONTEXT, [CARD] * count, DAY, 0)


@pytest.mark.parametrize("recipient", ["ada@x.org\r\nBcc: e@x.org", "größe@x.org", "a@x, b@x", ""])
def test_hostile_recipients(recipient):
    with pytest.raises(AddressError):
        render_alert(replace(CONTEXT, recipient=recipient), [CARD])


@pytest.mark.parametrize(
    "broken", ["\r\n", "\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029", "\x00"]
)
def test_a_title_cannot_add_headers(broken):
    message, text, _ = parsed(render_alert(CONTEXT, [replace(BARE, title=f"a{broken}Bcc: b@c.d")]))
    assert message["Subject"] == "a Bcc: b@c.d"
    assert message["Bcc"] is None
    assert "1. a Bcc: b@c.d\n" in text


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60).map(one_line).filter(bool), st.text(max_size=300))
def test_any_title_and_description(title, description):
    mail = render_alert(CONTEXT, [replace(BARE, title=title, description=description)])
    message, _, html = parsed(mail)
    assert message["Subject"] == mail.subject
    assert mail.subject.strip("\u2068\u2069") == title
    assert " ".join(title.split()) in Page(html).text

import re
from dataclasses import replace
from datetime import date

import pytest

from deliveries.messages import MAX_JOBS, render_alert, render_digest
from tests.deliveries.sample_mail import BARE, CARD, CONTEXT, DAY, Page, parsed


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


def test_more_and_less_like_this():
    urls = [f"https://scout.example.com/t/{token}/" for token in ("more", "less")]
    card = replace(CARD, more_url=urls[0], less_url=urls[1])
    _, text, html = parsed(render_alert(CONTEXT, [card]))
    told = f"More like this:\n{urls[0]}\nLess like this:\n{urls[1]}"
    assert f"Skills: Django, Celery\n\n{told}\n\n---" in text
    page = Page(html)
    assert "Django, Celery More like this · Less like this All jobs" in page.text
    assert page.links[3:5] == urls


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

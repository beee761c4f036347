"""What hostile or odd jobs and recipients do to a mail: nothing."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deliveries.messages import MAX_BYTES, MAX_JOBS, render_alert, render_digest
from deliveries.messages.mail_bytes import AddressError
from deliveries.messages.mail_text import one_line
from tests.deliveries.sample_mail import BARE, CARD, CONTEXT, DAY, Page, parsed


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
        more_url=f"https://scout.example.com/t/{'m' * 120}/",
        less_url=f"https://scout.example.com/t/{'l' * 120}/",
    )
    assert len(render_digest(CONTEXT, [huge] * 20, DAY, 5).raw) < MAX_BYTES
    alert = render_alert(CONTEXT, [huge] * MAX_JOBS)
    assert len(alert.raw) < MAX_BYTES
    assert parsed(alert)[1].count("\nFit 92 of 100") == MAX_JOBS
    assert max(map(len, alert.raw.split(b"\r\n"))) <= 120
    alert.raw.decode("ascii")


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

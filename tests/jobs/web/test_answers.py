"""What answers mean, by status, body and headers."""

from datetime import UTC, datetime

import pytest

from jobs.web.answers import Answer, trouble_in

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
PAGE = "<html><head><title>{}</title></head><body>{}</body></html>"
WALL = PAGE.format("Just a moment...", "cf-chl")


def trouble(status, body="", **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return trouble_in(Answer(status=status, url="", headers=named, body=body.encode()), now=NOW)


@pytest.mark.parametrize(
    ("status", "body", "state"),
    [
        (200, "", "broken"),
        (200, " \n\t", "broken"),
        (204, "", "broken"),
        (200, WALL, "blocked"),
        (200, "\ufeff<?xml version='1.0'?>\n" + WALL, "blocked"),
        (200, PAGE.format("Log In - Upwork", ""), "logged_out"),
        (200, "<!-- <p> -->\n<!-- -->" + PAGE.format("Log In - Upwork", ""), "logged_out"),
        (200, PAGE.format("x", "<form><input name=p type='password'></form>"), "logged_out"),
        (200, PAGE.format("Welcome", "hello"), "broken"),
        (401, "", "unauthorised"),
        (403, "{}", "unauthorised"),
        (403, '{"url": "https://geo.captcha-delivery.com/"}', "blocked"),
        (403, PAGE.format("Attention Required! | Cloudflare", ""), "blocked"),
        (403, PAGE.format("403 Forbidden", ""), "blocked"),
        (404, "", "broken"),
        (410, "<rss/>", "broken"),
        (429, "", "throttled"),
        (429, WALL, "blocked"),
        (500, "", "broken"),
        (503, "", "broken"),
        (503, WALL, "blocked"),
        (302, "", "broken"),
    ],
)
def test_trouble_by_status_and_body(status, body, state):
    assert trouble(status, body).state == state


@pytest.mark.parametrize("body", ["<rss></rss>", "<?xml version='1.0'?><feed/>", "{}", "junk"])
def test_what_is_worth_reading(body):
    assert trouble(200, body) is None


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Wed, 25 Nov 2026 13:00:00 GMT", 3600),
        ("Wed, 25 Nov 2020 13:00:00 GMT", 0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("9" * 5000, None),
    ],
)
def test_the_wait_it_asks_for(said, seconds):
    assert trouble(429, retry_after=said).retry_after == seconds


def test_an_outage_with_a_wait_is_throttling():
    assert trouble(503, retry_after="60").state == "throttled"

"""What senders tell beside jobs."""

import pytest

from jobs.inbox.events import event_of


@pytest.mark.parametrize(
    ("row", "meaning"),
    [
        ({"event": "captcha_required"}, "blocked"),
        ({"event": "captchaRequired", "title": "Just a moment...", "url": "https://x"}, "blocked"),
        ({"eventType": "CLOUDFLARE_CHALLENGE"}, "blocked"),
        ({"type": "captcha_required"}, "blocked"),
        ({"status": "error", "error": "bot wall"}, "blocked"),
        ({"event": "logged_out"}, "logged_out"),
        ({"event": "login-required"}, "logged_out"),
        ({"event": "Session expired"}, "logged_out"),
        ({"event": "rate_limited"}, "throttled"),
        ({"event": "captcha_solved"}, "ok"),
        ({"event": "logged_in"}, "ok"),
        ({"event": "ping"}, "nothing"),
        ({"type": "event", "title": "x", "name": "captcha_required"}, "blocked"),
        ({"message": "logged_out", "tab": 5}, "logged_out"),
        ({"state": "logged_out"}, "logged_out"),
        ({"captchaRequired": True}, "blocked"),
        ({"loggedIn": False, "url": "https://x"}, "logged_out"),
        ({"logged_in": True}, "ok"),
        ({"captchaRequired": False}, None),
        ({"title": "x", "loggedIn": False}, None),
        ({"verification": True, **{f"k{n}": n for n in range(6)}}, None),
        ({"name": "captcha_required", "title": "x"}, None),
        ({"event": "new_job"}, None),
        ({"event": "contest"}, None),
        ({"title": "Solve captchas"}, None),
        ({"title": "x", "type": "captcha solving"}, None),
        ({"event": {"name": "captcha"}}, None),
        ({"event": "captcha " * 50}, None),
        ({7: "captcha"}, None),
        ("captcha_required", None),
        (None, None),
    ],
)
def test_events(row, meaning):
    has_title = isinstance(row, dict) and "title" in row
    assert event_of(row, has_title=has_title) == meaning

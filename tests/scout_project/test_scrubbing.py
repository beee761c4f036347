"""What is hidden on its way into a log, and what is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.identity import uid_of
from scout_project.scrubbing import scrub, scrub_text

UID = uid_of("ana@example.com")
TOKEN = "Ab3_" * 10 + "xyz"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("550 <ana@example.com>: unknown", "550 <…>: unknown"),
        ("to=ana%40example.com", "to=…"),
        (f"user {UID} failed", "user … failed"),
        (f"['{UID}_upwork:1990']", "['…_upwork:1990']"),
        (f"GET /u/{TOKEN}/", "GET /u/…/"),
        ("/cron/scan?secret=abc&x=1", "/cron/scan?secret=…&x=1"),
        ("mail 0123456789abcdef0123456789abcdef: refused", None),
        ("upwork:1990000000000000123 deliveries_delivery relation", None),
        ("Process-d58106dcada14ea2ba7c290725ab0cbc ready for work at 26729", None),
    ],
)
def test_texts(text, shown):
    assert scrub_text(text) == (shown or text)


@given(st.emails(), st.sampled_from(["{}", "user={}!", "({}_upwork:1)", "/x/{}/"]))
def test_no_uid_is_left(address, around):
    uid = uid_of(address)
    assert uid not in scrub_text(around.format(uid))


def test_secrets_are_hidden_wherever_they_stand(settings):
    settings.CRON_SECRET = "open sesame"
    value = {"a": [("open sesame", 1)], settings.SECRET_KEY: None, "b": OSError("open sesame")}
    assert scrub(value) == {"a": [["…", 1]], "…": None, "b": "…"}


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"])
def test_keys_of_providers_are_secrets(settings, name):
    setattr(settings, name, "sk-short-one")
    assert "short" not in scrub_text("Invalid header value b'Bearer sk-short-one'")


def test_former_keys_are_secrets(settings):
    settings.SECRET_KEY_FALLBACKS = ["a former key"]
    assert scrub_text("it said a former key, twice") == "it said …, twice"


def test_the_addresses_of_sources_are_secrets(settings):
    settings.SCOUT_SOURCES = ["sample", "feed:https://x.test/rss?key=abc"]
    assert scrub_text("GET https://x.test/rss?key=abc failed") == "GET … failed"

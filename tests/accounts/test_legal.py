"""The pages about privacy and terms say what is true of this installation."""

import pytest

from tests.accounts.signing_in import browser

pytestmark = pytest.mark.django_db


def test_privacy_tells_this_sites_periods_and_contact(settings):
    settings.SCOUT_RETENTION_DAYS = 90
    settings.DEFAULT_FROM_EMAIL = "Scout <hello@scout.example>"
    page = browser().get("/privacy/").content.decode()
    assert "Kept for 90 days" in page
    assert 'href="mailto:hello@scout.example"' in page
    assert "Nobody for the scoring" in page


def test_privacy_names_a_model_that_gets_the_searches(settings):
    settings.SCOUT_SCORER = "openai:small"
    page = browser().get("/privacy/").content.decode()
    assert "(openai:small)" in page
    assert "Nobody for the scoring" not in page


def test_both_pages_are_open_to_everybody_and_led_to_from_the_front_page():
    front = browser().get("/").content.decode()
    for path in ("/privacy/", "/terms/"):
        assert f'href="{path}"' in front
        assert browser().get(path).status_code == 200

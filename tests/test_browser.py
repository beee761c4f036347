"""Signing in and saving preferences in a real browser, with and without JavaScript."""

import os
import shutil
import time
from collections.abc import Iterator
from email import message_from_bytes, policy

import pytest
from django.db import connection, connections
from playwright.sync_api import Browser, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import Search, User
from tests.accounts.signing_in import CODE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_tries_yet"),
]
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture
def chromium(monkeypatch) -> Iterator[Browser]:
    """The system's Chromium; where there is none the test is skipped, but not on the CI."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        assert os.environ.get("CI") != "true", "The CI has to have Chromium: apt-get install it."
        pytest.skip("there is no Chromium here")
    # Playwright keeps an event loop in this thread, which Django takes for asynchronous code.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()
        connections.close_all()  # inside that loop, Django keeps connections of their own


@pytest.fixture
def site(settings):
    """The site over plain http, as this server speaks nothing else."""
    settings.SECURE_SSL_REDIRECT = False  # before the server reads it
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    settings.ALLOWED_HOSTS = ["localhost"]
    server = LiveServer("localhost")
    yield server.url
    server.stop()
    until = time.monotonic() + 10
    while others() and time.monotonic() < until:  # its threads end when the browser has hung up
        time.sleep(0.02)


def others() -> int:
    """How many more connections this database has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.parametrize("javascript", [True, False])
def test_somebody_signs_up_says_what_they_want_and_signs_out(site, chromium, smtp, javascript):
    context = chromium.new_context(java_script_enabled=javascript, base_url=site)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    page.goto("/")
    page.get_by_label("Your e-mail address").fill("Ana@Example.com")
    page.get_by_role("button", name="Mail me a code").dblclick()
    page.wait_for_url("**/sign-in/code/")
    message = message_from_bytes(smtp.accepted[-1].raw, policy=policy.default)
    page.get_by_label("Code from the mail").fill("1234")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("This is not the code").wait_for()
    page.get_by_label("Code from the mail").fill(CODE.search(message["Subject"])[0])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/preferences/")

    page.get_by_label("Your work in one line").fill("Django developer")
    page.get_by_label("Skills").fill("Django, PostgreSQL")
    page.get_by_label("Hourly rate, at least (US dollars)").fill("a lot")
    page.get_by_label("Your work in one line").press("Enter")  # saves, as the first button does
    page.get_by_text("Nothing was saved yet").wait_for()
    rate = page.get_by_label("Hourly rate, at least (US dollars)")
    assert (rate.input_value(), rate.get_attribute("aria-invalid")) == ("a lot", "true")
    rate.fill("40")
    page.get_by_label("Once a day, a digest of the best ones").check()
    page.get_by_role("button", name="Add another search").click()
    page.locator("#id_search-2-name").fill("Writing")
    page.locator("#id_search-2-headline").fill("Copywriter")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Saved.", exact=True).wait_for()

    user = User.objects.get()
    assert user.preferences.mode == "daily"
    assert list(Search.objects.values_list("name", "headline", "skills", "min_hourly")) == [
        ("My search", "Django developer", ["Django", "PostgreSQL"], 40),
        ("Writing", "Copywriter", [], None),
    ]
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/")
    assert complaints == []
    assert len(smtp.accepted) == 1 if javascript else len(smtp.accepted) <= 2
    context.close()

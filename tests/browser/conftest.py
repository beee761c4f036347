"""A real browser before the real site: PostgreSQL, SMTP for the mails, everything on loopback."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy

import pytest
from django.conf import settings as site_settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection, connections
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.sessions import SessionStore
from tests.accounts.signing_in import CODE
from tests.smtp_server import RecordingSMTP

OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 30_000  # milliseconds: a busy machine is no defect
expect.set_options(timeout=PATIENCE)
Browse = Callable[..., Page]
# Chromium tells of every answer that is no success, though it was asked for.
_REFUSING = tuple(
    f"{path}: Failed to load resource" for path in ("/no-such-page/", "/sign-in/inactive/")
)


def pytest_collection_modifyitems(items) -> None:
    """Every test here needs rows that other threads see."""
    for item in items:
        if "tests/browser/" in str(item.path):
            item.add_marker(pytest.mark.django_db(transaction=True))


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
def site(settings, no_tries_yet) -> Iterator[str]:
    """The site's address; it speaks plain http, as this server speaks nothing else."""
    settings.SECURE_SSL_REDIRECT = False  # before the server reads it
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    settings.ALLOWED_HOSTS = ["localhost"]
    server = LiveServer("localhost")
    settings.SITE_URL = server.url
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


@pytest.fixture
def browse(site, chromium) -> Iterator[Browse]:
    """Opens a browser of its own for somebody: `browse(user=…, javascript=…, width=…, dark=…)`.

    At the end no page may have complained: no error, nothing on the console.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(
        user: User | None = None, *, javascript: bool = True, width: int = 1280, dark: bool = False
    ) -> Page:
        context = chromium.new_context(
            base_url=site,
            java_script_enabled=javascript,
            viewport={"width": width, "height": 844},
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": site}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complaints.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [each for each in complaints if not any(page in each for page in _REFUSING)] == []


def session_of(user: User) -> str:
    """The key of a session in which the user is signed in."""
    session = SessionStore()
    session[SESSION_KEY] = user.pk
    session[BACKEND_SESSION_KEY] = site_settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    assert session.session_key
    return session.session_key


def sign_in(page: Page, smtp: RecordingSMTP, email: str) -> None:
    """From the front page to signed in: four interactions."""
    page.goto("/")
    page.get_by_label("Your e-mail address").fill(email)
    page.get_by_role("button", name="Mail me a code").click()
    page.wait_for_url("**/sign-in/code/")
    page.get_by_label("Code from the mail").fill(code_in(smtp.accepted[-1].raw))
    page.get_by_role("button", name="Sign in").click()


def code_in(raw: bytes) -> str:
    """The code a mail brings."""
    found = CODE.search(message_from_bytes(raw, policy=policy.default)["Subject"])
    assert found, "no code in the subject"
    return found[0]

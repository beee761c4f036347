"""The development outbox in a browser."""

import importlib

import pytest
from django.urls import clear_url_caches, reverse

from deliveries.outbox import write_new

RAW = (
    b"From: scout@scout.test\r\nTo: ana@example.com\r\nSubject: A job & more\r\n"
    b"Date: Wed, 25 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/alternative; boundary="x"\r\n\r\n'
    b"--x\r\nContent-Type: text/plain\r\n\r\nplain <b>\r\n"
    b"--x\r\nContent-Type: text/html\r\n\r\n<p>rich<script>alert(1)</script></p>\r\n--x--\r\n"
)


def reload_urls():
    clear_url_caches()
    for name in ("deliveries.urls", "scout_project.urls"):
        importlib.reload(importlib.import_module(name))


@pytest.fixture
def name(settings, tmp_path):
    settings.EMAIL_BACKEND, settings.DEBUG = "deliveries.outbox.EmailBackend", True
    settings.OUTBOX_DIR, settings.SECURE_SSL_REDIRECT = tmp_path, False
    reload_urls()
    yield write_new(tmp_path, "abc", RAW).stem
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    reload_urls()


def test_the_folder_lists_the_mails(client, name):
    page = client.get("/outbox/").content.decode()
    assert f'href="/outbox/{name}/">A job &amp; more</a>' in page
    assert "ana@example.com" in page


def test_a_mail_is_shown_in_a_sandboxed_frame(client, name):
    page = client.get(reverse("outbox-mail", args=[name])).content.decode()
    assert '<iframe sandbox="allow-popups' in page
    assert "plain &lt;b&gt;" in page
    body = client.get(f"/outbox/{name}/body/")
    assert body["Content-Security-Policy"].startswith("sandbox ")
    assert "script-src" not in body["Content-Security-Policy"]
    assert "rich" in body.content.decode()


@pytest.mark.parametrize("wrong", ["nothing", "..", ".hidden"])
def test_other_files_are_not_to_be_had(client, name, wrong):
    assert client.get(f"/outbox/{wrong}/").status_code == 404


def test_there_is_no_outbox_where_mail_is_sent(client, settings):
    settings.SECURE_SSL_REDIRECT = False
    assert client.get("/outbox/").status_code == 404

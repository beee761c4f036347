"""The site as it is served in production: gunicorn, collected files, real requests."""

import http.client
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.processes import ROOT, database_url

HTTPS = {"Host": "scout.test", "X-Forwarded-Proto": "https"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> dict[str, str]:
    """The environment of a server in production, its static files collected."""
    var = tmp_path_factory.mktemp("var")
    env = {key: value for key, value in os.environ.items() if key != "DEBUG"}
    env |= {"SCOUT_VAR": str(var), "DJANGO_SETTINGS_MODULE": "scout_project.settings"}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput"]
    subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    return env


@pytest.fixture(scope="module")
def get(collected, django_db_setup) -> Iterator[Any]:
    """Starts gunicorn; a function that makes one request of it, following nothing."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "scout_project.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
    ]
    env = collected | {"DATABASE_URL": database_url()}
    with subprocess.Popen(command, cwd=ROOT, env=env, stderr=subprocess.DEVNULL) as server:

        def request(path: str, method: str = "GET", headers: dict[str, str] = HTTPS) -> Any:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            response.text = response.read().decode()  # type: ignore[attr-defined]
            connection.close()
            return response

        wait_for(request)
        yield request
        server.terminate()
        assert server.wait(30) == 0


def wait_for(request: Any) -> None:
    for _ in range(200):
        try:
            request("/healthz")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server did not come up in 20 seconds")


def test_the_site_is_served_as_it_should_be(get):
    front = get("/")
    assert (front.status, front.headers["Strict-Transport-Security"]) == (
        200,
        "max-age=31536000; includeSubDomains; preload",
    )
    policy = dict(
        part.split(" ", 1) for part in front.headers["Content-Security-Policy"].split("; ")
    )
    assert (policy["script-src"], policy["style-src"]) == ("'self'", "'self'")
    assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'none'")
    assert front.headers["X-Content-Type-Options"] == "nosniff"
    assert front.headers["Referrer-Policy"] == "same-origin"
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", front.text)


def test_static_files_are_named_by_content_and_kept(get):
    sheet = re.search(r'href="(/static/scout\.[0-9a-f]{12}\.css)"', get("/").text)
    assert sheet
    found = get(sheet[1])
    assert (found.status, found.headers["Content-Type"]) == (200, 'text/css; charset="utf-8"')
    assert "immutable" in found.headers["Cache-Control"]


def test_cookies_are_secure(get):
    cookie = get("/sign-in/").headers["Set-Cookie"]
    assert "Secure" in cookie
    assert "SameSite=Lax" in cookie


def test_plain_http_is_sent_to_https_but_for_probes(get):
    plain = {"Host": "scout.test"}
    moved = get("/sign-in/", headers=plain)
    assert (moved.status, moved.headers["Location"]) == (301, "https://scout.test/sign-in/")
    assert get("/healthz", headers=plain).status == 200


def test_errors_tell_nothing(get):
    missing = get("/nothing/here/")
    assert missing.status == 404
    assert "Traceback" not in missing.text
    assert "urlpatterns" not in missing.text
    assert get("/", headers=HTTPS | {"Host": "elsewhere.test"}).status == 400
    assert get("/outbox/").status == 404

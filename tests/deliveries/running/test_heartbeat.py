"""The heartbeat: after a healthy whole scan, and never in its way."""

import pytest
from pytest_httpserver import HTTPServer

from deliveries.running import heartbeat
from deliveries.running.runs import run_scan
from deliveries.scan import ScanOptions
from deliveries.work.clock import Clock


@pytest.fixture
def monitor(settings, httpserver: HTTPServer):
    settings.DEBUG = True
    settings.HEARTBEAT_URL = httpserver.url_for("/ping/token")
    httpserver.expect_request("/ping/token").respond_with_data("")
    return httpserver


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "sources", "beats"),
    [
        (ScanOptions(), ["sample"], 1),
        (ScanOptions(), ["file:/nowhere/at/all"], 0),
        (ScanOptions(work_only=True), ["sample"], 0),
    ],
)
def test_only_a_healthy_whole_scan_beats(monitor, settings, wall, options, sources, beats):
    settings.SCOUT_SOURCES = sources
    run_scan(Clock(), wall, options)
    assert len(monitor.log) == beats


@pytest.mark.parametrize("status", [302, 404, 500])
def test_a_monitor_in_trouble_harms_nothing_and_is_named_nowhere(monitor, status, caplog):
    monitor.clear()
    monitor.expect_request("/ping/token").respond_with_data(
        "", status, {"Location": monitor.url_for("/elsewhere")}
    )
    heartbeat.beat()
    assert len(monitor.log) == 1
    ours = [r.getMessage() for r in caplog.records if r.name.startswith("deliveries")]
    assert ours == ["the heartbeat failed: HTTPError"] * (status > 302)


@pytest.mark.parametrize(
    ("url", "debug", "allowed"),
    [
        ("https://monitor.example/x", False, True),
        ("http://monitor.example/x", True, False),
        ("http://localhost:1/x", True, True),
        ("http://localhost:1/x", False, False),
        ("https:///x", False, False),
        ("file:///etc/passwd", True, False),
        ("http://[", True, False),
    ],
)
def test_where_it_may_go(settings, url, debug, allowed):
    settings.DEBUG = debug
    assert heartbeat.is_allowed(url) is allowed

"""The health addresses: for any host, without redirects, and never about people."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from deliveries import tasks
from deliveries.models import Run
from tests.factories import person


@pytest.mark.parametrize("host", ["10.0.0.7:8000", "elsewhere.example", "scout.test"])
def test_the_process_answers_anybody_without_a_database(client, settings, host):
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/healthz", headers={"host": host})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Content-Type"] == "text/plain"
    assert answer["Cache-Control"] == "no-store"


def test_it_can_only_be_read(client):
    assert client.head("/healthz").status_code == 200
    assert client.post("/healthz").status_code == client.post("/healthz/scans").status_code == 405


@pytest.mark.django_db
def test_a_scan_is_told_with_sources_and_mail(client, smtp):
    person()
    assert client.get("/healthz/scans").json()["last_scan_finished_at"] is None
    tasks.scan()
    answer = client.get("/healthz/scans", headers={"host": "10.0.0.7"})
    told = answer.json()
    assert (answer.status_code, told["ok"], told["reason"], told["mail"]) == (200, True, None, "ok")
    assert (told["sources"]["sample"]["state"], told["last_scan_age_seconds"]) == ("ok", 0)
    assert told["oldest_waiting_seconds"] is None
    assert set(told["sources"]["sample"]) == {
        *("state", "needs_operator", "failures"),
        *("checked_at", "succeeded_at", "new_job_at", "next_look_at"),
    }
    assert "ana" not in answer.content.decode()


@pytest.mark.django_db
def test_silence_is_503_with_the_reason(client):
    then = timezone.now() - timedelta(minutes=40)
    Run.objects.create(kind="scan", started_at=then, finished_at=then)
    answer = client.get("/healthz/scans")
    assert answer.status_code == 503
    assert answer.json()["reason"] == "the last scan finished 40 minutes ago"


def test_a_dead_database_is_503(client, monkeypatch):
    def dead() -> None:
        raise OperationalError("password of ana@example.com")

    monkeypatch.setattr("deliveries.running.last_runs.signs", dead)
    answer = client.get("/healthz/scans")
    told = {"ok": False, "reason": "the database does not answer"}
    assert (answer.status_code, answer.json()) == (503, told)

"""The cron endpoint: who may call it, what one call does, and what it says."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ

from deliveries.models import Lease, Run, WantedRun
from deliveries.work import lease
from tests.threads import together

pytestmark = pytest.mark.django_db
SECRET = "a secret that is long enough é"


@pytest.fixture(autouse=True)
def _secret(settings):
    settings.CRON_SECRET = SECRET


def call(path="/cron/scan", secret=SECRET, method="get", **headers):
    # A server hands the header's bytes over as latin-1.
    raw = f"Bearer {secret}".encode().decode("latin-1")
    headers = {"HTTP_AUTHORIZATION": raw, "HTTP_HOST": "scout.test", **headers}
    return getattr(Client(enforce_csrf_checks=True), method)(path, **headers)


def ran(kind="scan", minutes=1):
    then = timezone.now() - timedelta(minutes=minutes)
    return Run.objects.create(
        kind=kind, started_at=then, finished_at=then, summary={"mails_sent": 3}
    )


@pytest.mark.parametrize("given", ["", "x", SECRET + "x", SECRET[:-1], "日本"])
def test_a_wrong_secret_is_refused_with_nothing_said(given):
    answer = call(secret=given)
    assert (answer.status_code, answer.content) == (403, b"")
    assert answer["Cache-Control"] == "no-store"
    assert not WantedRun.objects.exists()


@pytest.mark.parametrize("header", ["", "Bearer", SECRET, f"Basic {SECRET}", "Bearer 日本"])
def test_no_other_header_opens(header):
    assert call(HTTP_AUTHORIZATION=header).status_code == 403


def test_without_a_secret_there_is_no_such_page(settings):
    settings.CRON_SECRET = ""
    assert [call(secret="").status_code, call(method="post").status_code] == [404, 404]


@pytest.mark.parametrize("method", ["head", "post", "put", "delete", "options", "patch"])
def test_only_get_acts(method):
    answer = call(method=method)
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert not WantedRun.objects.exists()


def test_a_secret_in_the_address_opens_only_where_it_was_allowed(settings):
    settings.CRON_SECRET = "plain and long enough"
    address = "/cron/scan?secret=plain+and+long+enough"
    assert call(address, secret="").status_code == 403
    settings.SCOUT_CRON_SECRET_IN_QUERY = True
    assert [call(address, secret="").status_code, call(secret="").status_code] == [200, 403]


def test_one_call_enqueues_and_tells_of_the_last_run():
    run = ran(minutes=20)
    Run.objects.create(kind="scan", started_at=timezone.now())
    answer = call()
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    at = f"{run.finished_at:%Y-%m-%dT%H:%M:%SZ}"
    last = {"started_at": at, "finished_at": at, "summary": {"mails_sent": 3}}
    assert answer.json() == {"enqueued": True, "last": last}
    assert call("/cron/digest").json() == {"enqueued": True, "last": None}


def test_a_second_call_finds_it_waiting():
    call()
    answer = call()
    assert answer.status_code == 200
    assert answer.json() == {"enqueued": False, "reason": "already waiting"}


@pytest.mark.django_db(transaction=True)
def test_ten_callers_at_once_make_one_scan():
    answers = together(*[call] * 10)
    assert {answer.status_code for answer in answers} == {200}
    assert sum(answer.json()["enqueued"] for answer in answers) == OrmQ.objects.count() == 1


@pytest.mark.parametrize(
    ("seconds", "path", "skipped"),
    [(600, "/cron/scan", True), (0, "/cron/scan", False), (600, "/cron/digest", False)],
)
def test_while_a_scan_holds_the_lease_it_is_skipped(settings, seconds, path, skipped):
    lease.take("scan", 600)
    settings.SCOUT_LEASE_SECONDS = seconds
    answer = call(path).json()
    assert (answer == {"skipped": "previous run in flight"}) is skipped


@pytest.mark.parametrize("minutes", [-1, 12])
def test_a_lease_that_ended_or_that_a_wrong_clock_took_skips_nothing(minutes):
    until = timezone.now() + timedelta(minutes=minutes)
    Lease.objects.create(name="scan", token="x", until=until)
    assert call().json()["enqueued"]


@pytest.mark.parametrize(("minutes", "status"), [(34, 200), (36, 503)])
def test_it_says_when_no_scan_has_finished_and_asks_all_the_same(minutes, status):
    ran(minutes=minutes)
    answer = call()
    assert (answer.status_code, answer.json()["enqueued"]) == (status, True)
    assert answer.json().get("reason") in (None, "the last scan finished 36 minutes ago")


def test_it_says_when_a_task_waits_too_long():
    call()
    WantedRun.objects.update(asked_at=timezone.now() - timedelta(minutes=7))
    answer = call("/cron/digest")
    assert answer.status_code == 503
    assert answer.json()["reason"] == "a task has waited for 7 minutes"


def test_it_redirects_nobody(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert [call().status_code, call("/cron/scan/").status_code] == [200, 404]
